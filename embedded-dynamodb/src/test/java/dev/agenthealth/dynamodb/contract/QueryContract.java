package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;

/** Query on the table. */
abstract class QueryContract extends Contract {

    private static final int KILOBYTE = 1024;

    QueryContract(Backend backend) {
        super(backend);
    }

    private QueryResponse query(Consumer<QueryRequest.Builder> request) {
        return client.query(r -> r.tableName(registry)
                .keyConditionExpression("pk = :pk")
                .expressionAttributeValues(item(":pk", s(pk)))
                .consistentRead(true)
                .applyMutation(request));
    }

    private List<String> keys(Consumer<QueryRequest.Builder> request) {
        return sortKeys(query(request).items());
    }

    /** The sort keys for which a condition on the sort key holds, whose values are the placeholders :0 and :1. */
    private List<String> keysWhere(String condition, String... values) {
        Map<String, AttributeValue> placeholders = item(":pk", s(pk));
        for (int i = 0; i < values.length; i++) {
            placeholders.put(":" + i, s(values[i]));
        }
        return keys(r -> r.keyConditionExpression("pk = :pk AND " + condition).expressionAttributeValues(placeholders));
    }

    @Test
    void items_are_in_the_order_of_the_sort_key() {
        putAll("b", "a", "c", "aa", "B");

        assertThat(keys(r -> {})).containsExactly("B", "a", "aa", "b", "c");
    }

    @Test
    void sort_keys_order_by_utf_8_bytes() {
        String supplementary = "\uD83D\uDE00";
        putAll("z", "\u00e9", "\uffee", supplementary, "\u0800", "\u007f");

        // In UTF-16 the supplementary character would come before U+FFEE.
        assertThat(keys(r -> {})).containsExactly("z", "\u007f", "\u00e9", "\u0800", "\uffee", supplementary);
        assertThat(keysWhere("sk > :0", "\uffee")).containsExactly(supplementary);
    }

    @Test
    void items_are_read_in_reverse() {
        putAll("a", "b", "c");

        assertThat(keys(r -> r.scanIndexForward(false))).containsExactly("c", "b", "a");
    }

    @Test
    void items_of_other_partitions_are_left_out() {
        putAll("a");
        client.putItem(r -> r.tableName(registry).item(Values.key(pk + "x", "b")));

        assertThat(keys(r -> {})).containsExactly("a");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "sk = :0            | b   |     | b",
                "sk < :0            | b   |     | a,ab,abc",
                "sk <= :0           | b   |     | a,ab,abc,b",
                "sk > :0            | ab  |     | abc,b,c",
                "sk >= :0           | ab  |     | ab,abc,b,c",
                "begins_with(sk,:0) | ab  |     | ab,abc",
                "sk BETWEEN :0 AND :1 | ab | b  | ab,abc,b",
                "sk BETWEEN :0 AND :1 | b  | b  | b",
            })
    void the_sort_key_has_a_condition(String condition, String first, String second, String expected) {
        putAll("a", "ab", "abc", "b", "c");

        List<String> keys = second == null ? keysWhere(condition, first) : keysWhere(condition, first, second);

        assertThat(keys).containsExactly(expected.split(","));
    }

    @Test
    void the_parts_of_a_key_condition_are_in_any_order() {
        putAll("a", "b");

        assertThat(keys(r -> r.keyConditionExpression("begins_with(#s, :s) AND #p = :pk")
                        .expressionAttributeNames(names("#p", "pk", "#s", "sk"))
                        .expressionAttributeValues(item(":pk", s(pk), ":s", s("b")))))
                .containsExactly("b");
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(
            strings = {
                "sk = :v",
                "pk < :pk",
                "begins_with(pk, :pk)",
                "pk = :pk AND v = :v",
                "pk = :pk OR sk = :v",
                "pk = :pk AND NOT sk = :v",
                "pk = :pk AND sk > :v AND sk < :v",
                "pk = :pk AND sk IN (:v)",
                "pk = :pk AND contains(sk, :v)",
                "pk = :pk AND attribute_exists(sk)",
                "pk = :pk AND pk = :v",
                "",
            })
    void a_key_condition_that_is_not_valid_is_refused(String condition) {
        Map<String, AttributeValue> values = item();
        Stream.of(":pk", ":v").filter(condition::contains).forEach(p -> values.put(p, s("x")));

        assertInvalid(() -> query(r -> r.keyConditionExpression(condition).expressionAttributeValues(values)));
    }

    @Test
    void a_key_condition_of_another_type_is_refused() {
        assertInvalid(() -> query(r -> r.expressionAttributeValues(item(":pk", n(1)))));
        assertInvalid(() -> query(r -> r.keyConditionExpression("pk = :pk AND sk > :s")
                .expressionAttributeValues(item(":pk", s(pk), ":s", n(1)))));
    }

    @Test
    void an_empty_key_in_a_condition_is_refused() {
        assertInvalid(() -> query(r -> r.expressionAttributeValues(item(":pk", s("")))));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"sk = :0", "sk > :0", "begins_with(sk, :0)", "sk BETWEEN :0 AND :1"})
    void an_empty_or_too_long_sort_key_in_a_condition_is_refused(String condition) {
        String[] last = condition.contains(":1") ? new String[] {"y".repeat(1024)} : new String[0];

        assertInvalid(() -> keysWhere(condition, concat("", last)));
        assertInvalid(() -> keysWhere(condition, concat("x".repeat(1025), last)));
        assertThat(keysWhere(condition, concat("x".repeat(1024), last))).isEmpty();
    }

    private static String[] concat(String first, String... others) {
        return Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new);
    }

    @Test
    void a_projection_is_refused_where_only_the_count_is_selected() {
        putAll("a", "b");

        assertThat(query(r -> r.select(Select.COUNT)).count()).isEqualTo(2);
        assertThat(query(r -> r.select(Select.COUNT)).items()).isEmpty();
        assertInvalid(() -> query(r -> r.select(Select.COUNT).projectionExpression("sk")));
    }

    @Test
    void bounds_in_the_wrong_order_are_refused() {
        assertInvalid(() -> keysWhere("sk BETWEEN :0 AND :1", "b", "a"));
    }

    @Test
    void a_query_without_condition_is_refused() {
        assertInvalid(() -> client.query(r -> r.tableName(registry)));
    }

    @Test
    void an_empty_partition_has_no_items() {
        QueryResponse response = query(r -> {});

        assertThat(response.items()).isEmpty();
        assertThat(response.count()).isZero();
        assertThat(response.scannedCount()).isZero();
        assertThat(response.hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void a_limit_ends_a_page() {
        putAll("a", "b", "c");

        QueryResponse response = query(r -> r.limit(2));

        assertThat(sortKeys(response.items())).containsExactly("a", "b");
        assertThat(response.lastEvaluatedKey()).isEqualTo(key("b"));
        assertThat(response.count()).isEqualTo(2);
    }

    @Test
    void a_limit_that_is_hit_exactly_leaves_a_last_key() {
        putAll("a", "b");

        QueryResponse response = query(r -> r.limit(2));
        QueryResponse next = query(r -> r.limit(2).exclusiveStartKey(response.lastEvaluatedKey()));

        assertThat(response.lastEvaluatedKey()).isEqualTo(key("b"));
        assertThat(next.items()).isEmpty();
        assertThat(next.hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void a_limit_that_is_not_hit_leaves_no_last_key() {
        putAll("a", "b");

        assertThat(query(r -> r.limit(3)).hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void a_limit_of_zero_is_refused() {
        assertInvalid(() -> query(r -> r.limit(0)));
        assertInvalid(() -> query(r -> r.limit(-1)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"true", "false"})
    void pages_are_chained_in_both_directions(boolean forward) {
        putAll("a", "b", "c", "d", "e");

        List<String> keys = new ArrayList<>();
        Map<String, AttributeValue> start = null;
        do {
            Map<String, AttributeValue> from = start;
            QueryResponse page = query(r -> r.limit(2).scanIndexForward(forward).exclusiveStartKey(from));
            keys.addAll(sortKeys(page.items()));
            start = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
        } while (start != null);

        assertThat(keys)
                .containsExactlyElementsOf(
                        forward ? List.of("a", "b", "c", "d", "e") : List.of("e", "d", "c", "b", "a"));
    }

    @Test
    void a_page_begins_after_an_item_that_is_gone() {
        putAll("a", "c");

        assertThat(keys(r -> r.exclusiveStartKey(key("b")))).containsExactly("c");
        assertThat(keys(r -> r.exclusiveStartKey(key("b")).scanIndexForward(false)))
                .containsExactly("a");
    }

    @Test
    void a_page_begins_after_the_last_item() {
        putAll("a");

        QueryResponse response = query(r -> r.exclusiveStartKey(key("z")));

        assertThat(response.items()).isEmpty();
        assertThat(response.hasLastEvaluatedKey()).isFalse();
    }

    @Test
    void a_start_key_of_another_partition_is_refused() {
        assertInvalid(() -> query(r -> r.exclusiveStartKey(Values.key("other", "a"))));
    }

    @Test
    void a_start_key_outside_of_the_condition_is_refused() {
        assertInvalid(() -> query(r -> r.keyConditionExpression("pk = :pk AND begins_with(sk, :s)")
                .expressionAttributeValues(item(":pk", s(pk), ":s", s("b")))
                .exclusiveStartKey(key("c"))));
    }

    @Test
    void a_start_key_that_does_not_match_the_schema_is_refused() {
        assertInvalid(() -> query(r -> r.exclusiveStartKey(item("pk", s(pk)))));
        assertInvalid(() -> query(r -> r.exclusiveStartKey(with(key(), "v", n(1)))));
        assertInvalid(() -> query(r -> r.exclusiveStartKey(item("pk", s(pk), "sk", n(1)))));
    }

    @Test
    void a_filter_is_applied_after_the_limit() {
        putAt("a", "v", n(1));
        putAt("b", "v", n(2));
        putAt("c", "v", n(2));

        QueryResponse response = query(
                r -> r.limit(2).filterExpression("v = :v").expressionAttributeValues(item(":pk", s(pk), ":v", n(2))));

        assertThat(sortKeys(response.items())).containsExactly("b");
        assertThat(response.count()).isEqualTo(1);
        assertThat(response.scannedCount()).isEqualTo(2);
        assertThat(response.lastEvaluatedKey()).isEqualTo(key("b"));
    }

    @Test
    void a_filtered_page_may_be_empty_and_have_a_last_key() {
        putAll("a", "b");

        QueryResponse response = query(r -> r.limit(1).filterExpression("attribute_exists(v)"));

        assertThat(response.items()).isEmpty();
        assertThat(response.lastEvaluatedKey()).isEqualTo(key("a"));
    }

    @Test
    void a_filter_on_the_key_is_refused() {
        assertInvalid(() -> query(r -> r.filterExpression("pk = :pk")));
        assertInvalid(() -> query(r -> r.filterExpression("attribute_exists(sk)")));
    }

    @Test
    void a_projection_selects_attributes() {
        putAt("a", "v", n(1), "w", n(2));
        putAt("b", "w", n(2));

        assertThat(query(r -> r.projectionExpression("sk, v")).items())
                .containsExactly(item("sk", s("a"), "v", n(1)), item("sk", s("b")));
    }

    @Test
    void a_projection_of_an_attribute_twice_is_refused() {
        assertInvalid(() -> query(r -> r.projectionExpression("v, v")));
    }

    @Test
    void a_filter_sees_attributes_that_are_not_projected() {
        putAt("a", "v", n(1));
        putAt("b", "v", n(2));

        assertThat(query(r -> r.projectionExpression("sk")
                                .filterExpression("v = :v")
                                .expressionAttributeValues(item(":pk", s(pk), ":v", n(2))))
                        .items())
                .containsExactly(item("sk", s("b")));
    }

    @Test
    void a_page_ends_at_1_megabyte() {
        putLarge();

        QueryResponse response = query(r -> {});

        // Whether the item that crosses the limit is part of the page is not documented.
        assertThat(sortKeys(response.items())).isIn(List.of("a", "b"), List.of("a", "b", "c"));
        assertThat(response.lastEvaluatedKey())
                .isEqualTo(key(sortKeys(response.items()).get(response.count() - 1)));
        assertThat(keys(r -> r.exclusiveStartKey(response.lastEvaluatedKey()))).hasSize(4 - response.count());
    }

    @Test
    void a_page_ends_at_1_megabyte_before_the_filter() {
        putLarge();

        QueryResponse filtered = query(r -> r.filterExpression("attribute_exists(w)"));

        assertThat(filtered.items()).isEmpty();
        assertThat(filtered.scannedCount()).isIn(2, 3);
        assertThat(filtered.hasLastEvaluatedKey()).isTrue();
    }

    @Test
    void a_page_ends_at_1_megabyte_before_the_projection() {
        putLarge();

        QueryResponse projected = query(r -> r.projectionExpression("sk"));

        assertThat(projected.count()).isIn(2, 3);
        assertThat(projected.hasLastEvaluatedKey()).isTrue();
    }

    private void putLarge() {
        for (String sk : List.of("a", "b", "c", "d")) {
            putAt(sk, "v", s("x".repeat(390 * KILOBYTE)));
        }
    }

    @Test
    void a_query_of_an_unknown_table_or_index_is_refused() {
        assertCode("ResourceNotFoundException", () -> query(r -> r.tableName(backend.unusedName("unknown"))));
        assertInvalid(() -> query(r -> r.indexName("unknown").consistentRead(false)));
    }
}
