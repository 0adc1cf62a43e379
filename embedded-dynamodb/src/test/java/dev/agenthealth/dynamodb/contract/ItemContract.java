package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.b;
import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.flag;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.l;
import static dev.agenthealth.dynamodb.contract.Values.m;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.only;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.of;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/** GetItem, PutItem and DeleteItem. */
abstract class ItemContract extends Contract {

    ItemContract(Backend backend) {
        super(backend);
    }

    static Stream<Arguments> types() {
        return Stream.of(
                of("a string", s("text")),
                of("an empty string", s("")),
                of("a string with supplementary characters", s("a\u0000é\uD83D\uDE00")),
                of("a number", n(42)),
                of("a decimal", n("-0.125")),
                of("binary", b(0, 127, 128, 255)),
                of("empty binary", b()),
                of("true", flag(true)),
                of("false", flag(false)),
                of("a list of different types", l(s("x"), n(1), flag(false))),
                of("an empty list", l()),
                of("a map", m("x", s("y"), "z", m("n", n(1)))),
                of("an empty map", m()),
                of("a binary set", bs("a", "b", "\u00ff")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void get_returns_the_value_that_was_put(String type, AttributeValue value) {
        Map<String, AttributeValue> item = put("v", value);

        assertSame(get(), item);
    }

    @Test
    void get_of_a_missing_item_returns_no_item() {
        GetItemResponse response = client.getItem(r -> r.tableName(registry).key(key()));

        assertThat(response.hasItem()).isFalse();
    }

    @Test
    void put_replaces_the_whole_item() {
        put("v", n(1), "w", n(2));

        Map<String, AttributeValue> item = put("w", n(3));

        assertThat(get()).isEqualTo(item);
    }

    @Test
    void put_returns_the_replaced_item_when_asked() {
        Map<String, AttributeValue> old = put("v", n(1));

        assertThat(client.putItem(r -> r.tableName(registry).item(key()).returnValues(ReturnValue.ALL_OLD))
                        .attributes())
                .isEqualTo(old);
    }

    @Test
    void put_of_a_new_item_returns_no_attributes() {
        assertThat(client.putItem(r -> r.tableName(registry).item(key()).returnValues(ReturnValue.ALL_OLD))
                        .hasAttributes())
                .isFalse();
    }

    @Test
    void put_returns_no_attributes_unless_asked() {
        put("v", n(1));

        assertThat(client.putItem(r -> r.tableName(registry).item(key())).hasAttributes())
                .isFalse();
    }

    @Test
    void put_with_a_failing_condition_changes_nothing() {
        Map<String, AttributeValue> old = put("v", n(1));

        assertConditionFails(() -> putWhere("attribute_not_exists(pk)"));
        assertThat(get()).isEqualTo(old);
    }

    @Test
    void put_with_a_failing_condition_returns_the_item_when_asked() {
        Map<String, AttributeValue> old = put("v", n(1));

        try {
            putWith(r -> r.conditionExpression("attribute_not_exists(pk)")
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            throw new AssertionError("the condition holds");
        } catch (ConditionalCheckFailedException e) {
            assertThat(e.item()).isEqualTo(old);
        }
    }

    @Test
    void put_with_a_failing_condition_returns_no_item_unless_asked() {
        put("v", n(1));

        try {
            putWhere("attribute_not_exists(pk)");
            throw new AssertionError("the condition holds");
        } catch (ConditionalCheckFailedException e) {
            assertThat(e.hasItem()).isFalse();
        }
    }

    @Test
    void put_with_a_failing_condition_returns_no_item_where_there_is_none() {
        try {
            putWith(r -> r.conditionExpression("attribute_exists(pk)")
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            throw new AssertionError("the condition holds");
        } catch (ConditionalCheckFailedException e) {
            assertThat(e.hasItem()).isFalse();
        }
    }

    @Test
    void put_does_not_return_the_new_item() {
        assertInvalid(() -> putWith(r -> r.returnValues(ReturnValue.ALL_NEW)));
    }

    @Test
    void delete_removes_the_item() {
        put();

        client.deleteItem(r -> r.tableName(registry).key(key()));

        assertThat(get()).isEmpty();
    }

    @Test
    void delete_of_a_missing_item_succeeds() {
        assertThat(client.deleteItem(r -> r.tableName(registry).key(key()).returnValues(ReturnValue.ALL_OLD))
                        .hasAttributes())
                .isFalse();
    }

    @Test
    void delete_returns_the_removed_item_when_asked() {
        Map<String, AttributeValue> old = put("v", n(1));

        assertThat(client.deleteItem(r -> r.tableName(registry).key(key()).returnValues(ReturnValue.ALL_OLD))
                        .attributes())
                .isEqualTo(old);
    }

    @Test
    void delete_with_a_failing_condition_changes_nothing() {
        put("v", n(1));

        assertConditionFails(() -> client.deleteItem(r -> r.tableName(registry)
                .key(key())
                .conditionExpression("v = :v")
                .expressionAttributeValues(item(":v", n(2)))));
        assertThat(get()).isNotEmpty();
    }

    @Test
    void delete_of_a_missing_item_fails_where_it_must_exist() {
        assertConditionFails(() ->
                client.deleteItem(r -> r.tableName(registry).key(key()).conditionExpression("attribute_exists(pk)")));
    }

    @Test
    void get_projects_top_level_attributes() {
        Map<String, AttributeValue> item = put("v", n(1), "w", n(2), "name", s("x"));

        assertThat(client.getItem(r -> r.tableName(registry)
                                .key(key())
                                .projectionExpression("v, #n, absent")
                                .expressionAttributeNames(names("#n", "name")))
                        .item())
                .isEqualTo(only(item, "v", "name"));
    }

    @Test
    void get_of_attributes_that_the_item_lacks_returns_an_empty_item() {
        put("v", n(1));

        GetItemResponse response =
                client.getItem(r -> r.tableName(registry).key(key()).projectionExpression("absent"));

        assertThat(response.hasItem()).isTrue();
        assertThat(response.item()).isEmpty();
    }

    @Test
    void items_of_one_partition_are_different() {
        putAt("a", "v", n(1));
        putAt("b", "v", n(2));

        assertThat(get(key("a")).get("v")).isEqualTo(n(1));
        assertThat(get(key("b")).get("v")).isEqualTo(n(2));
    }

    static Stream<Arguments> refusedKeys() {
        return Stream.of(
                of("without sort key", item("pk", s("a"))),
                of("with a further attribute", item("pk", s("a"), "sk", s("a"), "v", s("a"))),
                of("of another type", item("pk", s("a"), "sk", n(1))),
                of("with an empty partition key", item("pk", s(""), "sk", s("a"))),
                of("with an empty sort key", item("pk", s("a"), "sk", s(""))),
                of("empty", item()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedKeys")
    void a_key_that_does_not_match_the_schema_is_refused(String reason, Map<String, AttributeValue> key) {
        assertInvalid(() -> client.getItem(r -> r.tableName(registry).key(key)));
        assertInvalid(() -> client.deleteItem(r -> r.tableName(registry).key(key)));
        assertInvalid(() -> client.updateItem(r -> r.tableName(registry).key(key)));
    }

    static Stream<Arguments> refusedItems() {
        return Stream.of(
                of("without sort key", item("pk", s("a"))),
                of("with a key of another type", item("pk", s("a"), "sk", n(1))),
                of("with an empty key", item("pk", s("a"), "sk", s(""))),
                of(
                        "with a value without type",
                        item(
                                "pk",
                                s("a"),
                                "sk",
                                s("a"),
                                "v",
                                AttributeValue.builder().build())),
                of(
                        "with a value of two types",
                        item(
                                "pk",
                                s("a"),
                                "sk",
                                s("a"),
                                "v",
                                AttributeValue.builder().s("a").n("1").build())),
                of("with an empty set", item("pk", s("a"), "sk", s("a"), "v", bs())),
                of("with an element twice in a set", item("pk", s("a"), "sk", s("a"), "v", bs("x", "x"))),
                of("with an empty set in a list", item("pk", s("a"), "sk", s("a"), "v", l(bs()))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedItems")
    void an_item_that_is_not_valid_is_refused(String reason, Map<String, AttributeValue> item) {
        assertInvalid(() -> client.putItem(r -> r.tableName(registry).item(item)));
    }

    @Test
    void requests_to_an_unknown_table_are_refused() {
        String unknown = backend.unusedName("unknown");

        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> client.getItem(r -> r.tableName(unknown).key(key())))
                .isInstanceOf(ResourceNotFoundException.class);
        assertCode(
                "ResourceNotFoundException",
                () -> client.putItem(r -> r.tableName(unknown).item(key())));
        assertCode(
                "ResourceNotFoundException",
                () -> client.updateItem(r -> r.tableName(unknown).key(key())));
        assertCode(
                "ResourceNotFoundException",
                () -> client.deleteItem(r -> r.tableName(unknown).key(key())));
    }

    @Test
    void the_caller_may_reuse_what_it_put() {
        byte[] bytes = {1, 2, 3};
        put("v", AttributeValue.fromB(SdkBytes.fromByteArray(bytes)));
        bytes[0] = 9;

        assertThat(get().get("v")).isEqualTo(b(1, 2, 3));
    }
}
