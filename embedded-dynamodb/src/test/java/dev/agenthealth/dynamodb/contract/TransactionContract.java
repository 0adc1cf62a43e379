package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.id;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** TransactWriteItems. */
abstract class TransactionContract extends Contract {

    private static final int MAX_ITEMS = 100;
    private static final int KILOBYTE = 1024;

    TransactionContract(Backend backend) {
        super(backend);
    }

    private void transact(TransactWriteItem... writes) {
        client.transactWriteItems(r -> r.transactItems(writes));
    }

    private TransactWriteItem put(String sk, Consumer<Put.Builder> put) {
        return TransactWriteItem.builder()
                .put(p -> p.tableName(registry).item(key(sk)).applyMutation(put))
                .build();
    }

    private TransactWriteItem update(String sk, Consumer<Update.Builder> update) {
        return TransactWriteItem.builder()
                .update(u -> u.tableName(registry).key(key(sk)).applyMutation(update))
                .build();
    }

    private TransactWriteItem delete(String sk, Consumer<Delete.Builder> delete) {
        return TransactWriteItem.builder()
                .delete(d -> d.tableName(registry).key(key(sk)).applyMutation(delete))
                .build();
    }

    private TransactWriteItem check(String sk, Consumer<ConditionCheck.Builder> check) {
        return TransactWriteItem.builder()
                .conditionCheck(c -> c.tableName(registry).key(key(sk)).applyMutation(check))
                .build();
    }

    private TransactWriteItem set(String sk, long value) {
        return update(sk, u -> u.updateExpression("SET v = :v").expressionAttributeValues(item(":v", n(value))));
    }

    private TransactWriteItem add(String sk) {
        return update(sk, u -> u.updateExpression("ADD v :v").expressionAttributeValues(item(":v", n(1))));
    }

    @Test
    void a_transaction_applies_all_writes() {
        putAt("b", "v", n(1));
        putAll("c", "d");

        transact(
                put("a", p -> {}),
                set("b", 2),
                delete("c", d -> {}),
                check("d", c -> c.conditionExpression("attribute_exists(pk)")));

        assertThat(get(key("a"))).isEqualTo(key("a"));
        assertThat(get(key("b")).get("v")).isEqualTo(n(2));
        assertThat(get(key("c"))).isEmpty();
        assertThat(get(key("d"))).isEqualTo(key("d"));
    }

    @Test
    void a_transaction_applies_nothing_where_a_condition_fails() {
        putAt("b", "v", n(1));

        assertCancelled(() -> transact(
                put("a", p -> {}), set("b", 2), check("c", c -> c.conditionExpression("attribute_exists(pk)"))));

        assertThat(get(key("a"))).isEmpty();
        assertThat(get(key("b")).get("v")).isEqualTo(n(1));
    }

    @Test
    void a_transaction_writes_to_two_tables() {
        transact(put("a", p -> {}), put("a", p -> p.tableName(pulses).item(id(pk))));

        assertThat(get()).isNotEmpty();
        assertThat(pulse(pk)).isNotEmpty();
    }

    @Test
    void a_transaction_creates_what_it_updates() {
        transact(add("a"), update("b", u -> u.updateExpression("REMOVE v")));

        assertThat(get(key("a"))).isEqualTo(with(key("a"), "v", n(1)));
    }

    @Test
    void the_reasons_are_in_the_order_of_the_writes() {
        putAll("a", "c");

        TransactionCanceledException e = assertCancelled(() -> transact(
                put("a", p -> p.conditionExpression("attribute_not_exists(pk)")),
                put("b", p -> p.conditionExpression("attribute_not_exists(pk)")),
                delete("c", d -> d.conditionExpression("attribute_not_exists(pk)")),
                set("d", 1)));

        assertThat(codes(e)).containsExactly("ConditionalCheckFailed", "None", "ConditionalCheckFailed", "None");
        assertThat(e.awsErrorDetails().errorCode()).isEqualTo("TransactionCanceledException");
        assertThat(e.statusCode()).isEqualTo(400);
    }

    @Test
    void a_reason_has_a_message_where_a_condition_fails() {
        TransactionCanceledException e = assertCancelled(
                () -> transact(check("a", c -> c.conditionExpression("attribute_exists(pk)")), set("b", 1)));

        assertThat(e.cancellationReasons().get(0).message()).startsWith("The conditional request failed");
        assertThat(e.cancellationReasons().get(1).message()).isNull();
    }

    @Test
    void a_reason_holds_the_item_when_asked() {
        Map<String, AttributeValue> item = putAt("a", "v", n(1));
        putAt("b");

        TransactionCanceledException e = assertCancelled(() -> transact(
                put("a", p -> p.conditionExpression("attribute_not_exists(pk)")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)),
                put("b", p -> p.conditionExpression("attribute_not_exists(pk)")),
                check("c", c -> c.conditionExpression("attribute_exists(pk)")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))));

        assertThat(e.cancellationReasons().get(0).item()).isEqualTo(item);
        assertThat(e.cancellationReasons().get(1).hasItem()).isFalse();
        assertThat(e.cancellationReasons().get(2).hasItem()).isFalse();
    }

    @Test
    void conditions_see_the_items_before_the_transaction() {
        TransactionCanceledException e = assertCancelled(
                () -> transact(put("a", p -> {}), check("b", c -> c.conditionExpression("attribute_exists(pk)"))));

        assertThat(codes(e)).containsExactly("None", "ConditionalCheckFailed");
    }

    @Test
    void an_update_that_fails_on_the_item_cancels_the_transaction() {
        putAt("b", "v", s("text"));

        TransactionCanceledException e = assertCancelled(() -> transact(set("a", 1), add("b")));

        assertThat(codes(e)).containsExactly("None", "ValidationError");
        assertThat(get(key("a"))).isEmpty();
    }

    @Test
    void the_same_item_twice_is_refused() {
        assertInvalid(() -> transact(set("a", 1), add("a")));
        assertInvalid(
                () -> transact(check("a", c -> c.conditionExpression("attribute_not_exists(pk)")), put("a", p -> {})));
        assertThat(get()).isEmpty();
    }

    @Test
    void the_same_item_twice_is_refused_also_where_a_condition_fails() {
        assertInvalid(
                () -> transact(delete("a", d -> {}), check("a", c -> c.conditionExpression("attribute_exists(pk)"))));
    }

    @Test
    void a_transaction_has_at_most_100_items() {
        TransactWriteItem[] writes = IntStream.rangeClosed(1, MAX_ITEMS + 1)
                .mapToObj(i -> set("k" + i, i))
                .toArray(TransactWriteItem[]::new);

        transact(List.of(writes).subList(0, MAX_ITEMS).toArray(TransactWriteItem[]::new));
        assertThat(get(key("k100")).get("v")).isEqualTo(n(100));
        assertInvalid(() -> transact(writes));
    }

    @Test
    void a_transaction_without_items_is_refused() {
        assertInvalid(() -> transact());
    }

    @Test
    void a_transaction_of_more_than_4_megabytes_is_refused() {
        String text = "x".repeat(380 * KILOBYTE);

        assertInvalid(() -> transact(IntStream.range(0, 12)
                .mapToObj(i -> put("k" + i, p -> p.item(with(key("k" + i), "v", s(text)))))
                .toArray(TransactWriteItem[]::new)));
        transact(IntStream.range(0, 10)
                .mapToObj(i -> put("k" + i, p -> p.item(with(key("k" + i), "v", s(text)))))
                .toArray(TransactWriteItem[]::new));
    }

    @Test
    void the_values_of_updates_count_for_the_4_megabytes() {
        String text = "x".repeat(380 * KILOBYTE);

        assertInvalid(() -> transact(IntStream.range(0, 12)
                .mapToObj(i -> update(
                        "k" + i, u -> u.updateExpression("SET v = :v").expressionAttributeValues(item(":v", s(text)))))
                .toArray(TransactWriteItem[]::new)));
    }

    @Test
    void an_item_that_becomes_too_large_cancels_the_transaction() {
        putAt("a", "v", s("x".repeat(390 * KILOBYTE)));

        TransactionCanceledException e = assertCancelled(() -> transact(
                update("a", u -> u.updateExpression("SET w = :w")
                        .expressionAttributeValues(item(":w", s("x".repeat(20 * KILOBYTE))))),
                set("b", 1)));

        assertThat(codes(e)).containsExactly("ValidationError", "None");
    }

    @Test
    void a_token_repeats_its_result() {
        String token = UUID.randomUUID().toString();

        for (int i = 0; i < 2; i++) {
            client.transactWriteItems(r -> r.transactItems(add("a")).clientRequestToken(token));
        }

        assertThat(get().get("v")).isEqualTo(n(1));
    }

    @Test
    void a_token_repeats_its_result_where_the_condition_no_longer_holds() {
        String token = UUID.randomUUID().toString();
        TransactWriteItem put = put("a", p -> p.conditionExpression("attribute_not_exists(pk)"));
        client.transactWriteItems(r -> r.transactItems(put).clientRequestToken(token));
        client.deleteItem(r -> r.tableName(registry).key(key()));

        client.transactWriteItems(r -> r.transactItems(put).clientRequestToken(token));

        assertThat(get()).isEmpty();
    }

    @Test
    void a_token_of_a_failed_transaction_may_be_used_again() {
        String token = UUID.randomUUID().toString();
        TransactWriteItem put = put("a", p -> p.conditionExpression("attribute_not_exists(pk)"));
        putAt("a");
        assertCancelled(
                () -> client.transactWriteItems(r -> r.transactItems(put).clientRequestToken(token)));
        client.deleteItem(r -> r.tableName(registry).key(key()));

        client.transactWriteItems(r -> r.transactItems(put).clientRequestToken(token));

        assertThat(get()).isNotEmpty();
    }

    @Test
    void a_token_is_not_accepted_for_another_transaction() {
        String token = UUID.randomUUID().toString();
        client.transactWriteItems(r -> r.transactItems(set("a", 1)).clientRequestToken(token));

        assertThatThrownBy(() -> client.transactWriteItems(
                        r -> r.transactItems(set("a", 2)).clientRequestToken(token)))
                .isInstanceOfSatisfying(IdempotentParameterMismatchException.class, e -> assertThat(
                                e.awsErrorDetails().errorCode())
                        .isEqualTo("IdempotentParameterMismatchException"));
        assertThat(get().get("v")).isEqualTo(n(1));
    }

    @Test
    void a_token_is_not_accepted_for_a_transaction_with_the_same_hash_code() {
        TransactWriteItem first = putting(with(key(), "v", s("Aa")));
        TransactWriteItem second = putting(with(key(), "v", s("BB")));
        assertThat(second.hashCode()).isEqualTo(first.hashCode());
        String token = UUID.randomUUID().toString();
        client.transactWriteItems(r -> r.transactItems(first).clientRequestToken(token));

        assertThatThrownBy(() ->
                        client.transactWriteItems(r -> r.transactItems(second).clientRequestToken(token)))
                .isInstanceOf(IdempotentParameterMismatchException.class);
    }

    @Test
    void a_token_is_forgotten_after_10_minutes() {
        assumeThat(backend.advance(Duration.ZERO))
                .as("%s has no clock of its own", backend.name())
                .isTrue();
        String token = UUID.randomUUID().toString();
        client.transactWriteItems(r -> r.transactItems(add("a")).clientRequestToken(token));
        backend.advance(Duration.ofMinutes(9));
        client.transactWriteItems(r -> r.transactItems(add("a")).clientRequestToken(token));
        assertThat(get().get("v")).isEqualTo(n(1));

        backend.advance(Duration.ofMinutes(2));
        client.transactWriteItems(r -> r.transactItems(add("a")).clientRequestToken(token));

        assertThat(get().get("v")).isEqualTo(n(2));
    }

    @Test
    void a_token_has_at_most_36_characters() {
        assertInvalid(() ->
                client.transactWriteItems(r -> r.transactItems(set("a", 1)).clientRequestToken("x".repeat(37))));
    }

    @Test
    void a_check_without_condition_is_refused() {
        assertInvalid(() -> transact(check("a", c -> {})));
    }

    @Test
    void an_item_with_two_writes_is_refused() {
        assertInvalid(() -> transact(put("a", p -> {}).toBuilder()
                .delete(d -> d.tableName(registry).key(key("b")))
                .build()));
    }

    @Test
    void a_transaction_on_an_unknown_table_is_refused() {
        assertCode(
                "ResourceNotFoundException",
                () -> transact(set("a", 1), put("b", p -> p.tableName(backend.unusedName("unknown")))));
        assertThat(get()).isEmpty();
    }

    @Test
    void a_key_that_does_not_match_the_schema_cancels_or_refuses_the_transaction() {
        assertThatThrownBy(() -> transact(set("a", 1), delete("b", d -> d.key(item("pk", s(pk))))))
                .satisfiesAnyOf(
                        e -> assertInvalid(() -> {
                            throw e;
                        }),
                        e -> assertThat(((TransactionCanceledException) e).cancellationReasons())
                                .extracting(CancellationReason::code)
                                .containsExactly("None", "ValidationError"));
        assertThat(get()).isEmpty();
    }
}
