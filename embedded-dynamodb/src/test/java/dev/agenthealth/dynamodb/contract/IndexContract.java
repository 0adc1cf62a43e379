package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.id;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Global secondary indexes. */
abstract class IndexContract extends Contract {

    IndexContract(Backend backend) {
        super(backend);
    }

    /** The partition of this case in the index {@code feed} or {@code due}. */
    private QueryResponse query(String index, Consumer<QueryRequest.Builder> request) {
        return client.query(r -> r.tableName(registry)
                .indexName(index)
                .keyConditionExpression(index.equals("feed") ? "fp = :p" : "dp = :p")
                .expressionAttributeValues(item(":p", s(pk)))
                .applyMutation(request));
    }

    private List<Map<String, AttributeValue>> feed() {
        return query("feed", r -> {}).items();
    }

    private Map<String, AttributeValue> putFed(String sk, String fs) {
        return putAt(sk, "fp", s(pk), "fs", s(fs));
    }

    @Test
    void an_index_holds_the_items_that_have_its_keys() {
        Map<String, AttributeValue> item = putFed("a", "1");
        putAt("b", "fp", s(pk));
        putAt("c", "fs", s("2"));
        putAt("d");

        assertThat(feed()).containsExactly(item);
    }

    @Test
    void an_index_of_all_attributes_projects_all() {
        Map<String, AttributeValue> item = putAt("a", "fp", s(pk), "fs", s("1"), "v", n(1));

        assertThat(feed()).containsExactly(item);
    }

    @Test
    void an_index_of_keys_projects_its_keys_and_those_of_the_table() {
        putAt("a", "dp", s(pk), "ds", s("1"), "v", n(1));

        assertThat(query("due", r -> {}).items()).containsExactly(with(key("a"), "dp", s(pk), "ds", s("1")));
    }

    @Test
    void an_index_whose_sort_key_is_the_key_of_the_table_projects_each_key_once() {
        putPulse(pk + "b", "x", s(pk), "v", n(1));
        putPulse(pk + "a", "x", s(pk), "v", n(1));

        assertThat(client.query(r -> r.tableName(pulses)
                                .indexName("by-status")
                                .keyConditionExpression("x = :x")
                                .expressionAttributeValues(item(":x", s(pk))))
                        .items())
                .containsExactly(with(id(pk + "a"), "x", s(pk)), with(id(pk + "b"), "x", s(pk)));
    }

    @Test
    void a_filter_on_an_index_of_keys_by_another_attribute_is_refused() {
        putAt("a", "dp", s(pk), "ds", s("1"), "v", n(1));

        assertInvalid(() -> query("due", r -> r.filterExpression("attribute_exists(v)")));
    }

    @Test
    void a_filter_on_an_index_may_name_the_key_of_the_table() {
        putFed("a", "1");
        putFed("b", "2");

        assertThat(sortKeys(query("feed", r -> r.filterExpression("sk = :s")
                                .expressionAttributeValues(item(":p", s(pk), ":s", s("b"))))
                        .items()))
                .containsExactly("b");
    }

    @Test
    void a_projection_from_an_index_of_keys_of_other_attributes_is_refused() {
        putAt("a", "dp", s(pk), "ds", s("1"), "v", n(1));

        assertInvalid(() -> query("due", r -> r.projectionExpression("sk, v")));
    }

    @Test
    void an_update_moves_an_item_in_an_index() {
        putFed("a", "1");
        putFed("b", "2");

        update("SET fs = :s", ":s", s("3"));

        assertThat(sortKeys(feed())).containsExactly("b", "a");
    }

    @Test
    void an_update_changes_what_an_index_projects() {
        putFed("a", "1");

        update("SET v = :v", ":v", n(1));

        assertThat(feed().get(0).get("v")).isEqualTo(n(1));
    }

    @Test
    void an_update_takes_an_item_out_of_an_index() {
        putFed("a", "1");

        update("REMOVE fs");

        assertThat(feed()).isEmpty();
        assertThat(get()).isNotEmpty();
    }

    @Test
    void a_put_without_its_keys_takes_an_item_out_of_an_index() {
        putFed("a", "1");

        put("v", n(1));

        assertThat(feed()).isEmpty();
    }

    @Test
    void a_delete_takes_an_item_out_of_an_index() {
        putFed("a", "1");

        client.deleteItem(r -> r.tableName(registry).key(key()));

        assertThat(feed()).isEmpty();
    }

    @Test
    void a_transaction_changes_an_index() {
        putFed("a", "1");

        client.transactWriteItems(
                r -> r.transactItems(putting(with(key("b"), "fp", s(pk), "fs", s("0"))), putting(key("a"))));

        assertThat(sortKeys(feed())).containsExactly("b");
    }

    @Test
    void items_with_the_same_index_key_are_all_found() {
        putFed("a", "1");
        putFed("b", "1");
        putFed("c", "1");

        assertThat(sortKeys(feed())).containsExactlyInAnyOrder("a", "b", "c");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"true", "false"})
    void pages_of_an_index_are_chained(boolean forward) {
        for (int i = 0; i < 7; i++) {
            putFed("k" + i, "s" + i / 3);
        }

        List<String> keys = new ArrayList<>();
        Map<String, AttributeValue> start = null;
        do {
            Map<String, AttributeValue> from = start;
            QueryResponse page =
                    query("feed", r -> r.limit(2).scanIndexForward(forward).exclusiveStartKey(from));
            keys.addAll(sortKeys(page.items()));
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);

        assertThat(keys).containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4", "k5", "k6");
        assertThat(keys.get(0)).isIn(forward ? List.of("k0", "k1", "k2") : List.of("k6"));
    }

    @Test
    void the_last_key_of_an_index_has_its_keys_and_those_of_the_table() {
        putFed("a", "1");
        putFed("b", "2");

        assertThat(query("feed", r -> r.limit(1)).lastEvaluatedKey())
                .isEqualTo(with(key("a"), "fp", s(pk), "fs", s("1")));
    }

    @Test
    void a_page_of_an_index_begins_after_an_item_that_is_gone() {
        putFed("a", "1");
        putFed("c", "3");
        Map<String, AttributeValue> gone = with(key("b"), "fp", s(pk), "fs", s("2"));

        assertThat(sortKeys(query("feed", r -> r.exclusiveStartKey(gone)).items()))
                .containsExactly("c");
        assertThat(sortKeys(query("feed", r -> r.exclusiveStartKey(gone).scanIndexForward(false))
                        .items()))
                .containsExactly("a");
    }

    @Test
    void a_start_key_of_an_index_without_the_key_of_the_table_is_refused() {
        assertInvalid(() -> query("feed", r -> r.exclusiveStartKey(item("fp", s(pk), "fs", s("1")))));
        assertInvalid(() -> query("feed", r -> r.exclusiveStartKey(key())));
    }

    @Test
    void the_sort_key_of_an_index_has_a_condition() {
        putFed("a", "1");
        putFed("b", "2");
        putFed("c", "3");

        assertThat(sortKeys(query("feed", r -> r.keyConditionExpression("fp = :p AND fs BETWEEN :1 AND :2")
                                .expressionAttributeValues(item(":p", s(pk), ":1", s("2"), ":2", s("9"))))
                        .items()))
                .containsExactly("b", "c");
        assertThat(sortKeys(query("feed", r -> r.keyConditionExpression("fp = :p AND fs < :1")
                                .expressionAttributeValues(item(":p", s(pk), ":1", s("2"))))
                        .items()))
                .containsExactly("a");
    }

    @Test
    void a_consistent_read_of_an_index_is_refused() {
        assertInvalid(() -> query("feed", r -> r.consistentRead(true)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"fp", "fs", "dp", "ds"})
    void an_empty_index_key_is_refused(String attribute) {
        assertInvalid(() -> put(attribute, s("")));
        assertInvalid(() -> update("SET " + attribute + " = :v", ":v", s("")));
        assertThat(get()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"fp", "fs", "dp", "ds"})
    void an_index_key_of_another_type_is_refused(String attribute) {
        assertInvalid(() -> put(attribute, n(1)));
        assertInvalid(() -> update("SET " + attribute + " = :v", ":v", n(1)));
        assertThat(get()).isEmpty();
    }

    @Test
    void an_index_key_of_another_type_fails_a_transaction() {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> client.transactWriteItems(
                        r -> r.transactItems(putting(key("b")), putting(with(key(), "fp", n(1))))))
                .isInstanceOf(software.amazon.awssdk.services.dynamodb.model.DynamoDbException.class);
        assertThat(get(key("b"))).isEmpty();
        assertThat(get()).isEmpty();
    }

    @Test
    void an_index_key_that_is_too_long_is_refused() {
        put("fp", s("x".repeat(2048)), "fs", s("x".repeat(1024)));

        assertInvalid(() -> put("fp", s("x".repeat(2049)), "fs", s("1")));
        assertInvalid(() -> put("fp", s("x"), "fs", s("x".repeat(1025))));
    }
}
