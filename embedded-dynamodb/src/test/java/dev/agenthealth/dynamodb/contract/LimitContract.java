package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.b;
import static dev.agenthealth.dynamodb.contract.Values.item;
import static dev.agenthealth.dynamodb.contract.Values.l;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static dev.agenthealth.dynamodb.contract.Values.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Sizes, and the validation of expressions and placeholders. */
abstract class LimitContract extends Contract {

    private static final int KILOBYTE = 1024;
    private static final int MAX_ITEM = 400 * KILOBYTE;

    LimitContract(Backend backend) {
        super(backend);
    }

    /** The size that an item of this case has beside the attribute {@code v}: names and values of the key, and the name. */
    private int overhead() {
        return "pk".length() + pk.length() + "sk".length() + "a".length() + "v".length();
    }

    @Test
    void an_item_has_at_most_400_kilobytes_including_names() {
        int left = MAX_ITEM - overhead();
        put("v", s("x".repeat(left)));

        assertInvalid(() -> put("v", s("x".repeat(left + 1))));
    }

    @Test
    void the_size_of_an_item_counts_utf_8_bytes() {
        int left = MAX_ITEM - overhead();
        put("v", s("\u00e9".repeat(left / 2)));

        assertInvalid(() -> put("v", s("\u00e9".repeat(left / 2 + 1))));
    }

    @Test
    void the_size_of_an_item_counts_binary_bytes() {
        int left = MAX_ITEM - overhead();
        put("v", b(new int[left]));

        assertInvalid(() -> put("v", b(new int[left + 1])));
    }

    @Test
    void an_update_does_not_let_an_item_grow_beyond_400_kilobytes() {
        int left = MAX_ITEM - overhead();
        put("v", s("x"));
        update("SET v = :v", ":v", s("x".repeat(left)));
        Map<String, AttributeValue> item = get();

        assertInvalid(() -> update("SET w = :w", ":w", s("x")));
        assertThat(get()).isEqualTo(item).containsEntry("v", s("x".repeat(left)));
    }

    @Test
    void a_partition_key_has_at_most_2048_bytes() {
        client.putItem(r -> r.tableName(registry).item(Values.key("x".repeat(2048), "a")));

        for (String tooLong : List.of("x".repeat(2049), "\u00e9".repeat(1025))) {
            Map<String, AttributeValue> key = Values.key(tooLong, "a");
            assertInvalid(() -> client.putItem(r -> r.tableName(registry).item(key)));
            assertInvalid(() -> get(key));
        }
    }

    @Test
    void a_sort_key_has_at_most_1024_bytes() {
        putAt("x".repeat(1024));

        assertInvalid(() -> putAt("x".repeat(1025)));
        assertInvalid(() -> putAt("\u00e9".repeat(513)));
        assertInvalid(() -> get(key("x".repeat(1025))));
    }

    @Test
    void values_are_nested_at_most_32_deep() {
        AttributeValue value = s("x");
        for (int i = 0; i < 31; i++) {
            value = l(value);
        }
        put("v", value);
        AttributeValue deeper = l(value);

        assertInvalid(() -> put("v", deeper));
        assertInvalid(() -> update("SET v = :v", ":v", deeper));
        assertInvalid(() -> update("SET w = if_not_exists(w, :v)", ":v", deeper));
        assertThat(holds("NOT v = :v", ":v", deeper)).isTrue();
    }

    @Test
    void an_attribute_name_has_less_than_65536_bytes() {
        assertInvalid(() -> put("x".repeat(65_536), n(1)));
        assertInvalid(() -> put("\u00e9".repeat(32_768), n(1)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"name", "status", "ttl", "data", "TIMESTAMP", "Value", "count", "region", "state", "by", "to"})
    void a_reserved_word_is_refused_as_attribute_name(String word) {
        assertInvalid(() -> putWhere("attribute_not_exists(" + word + ")"));
        assertInvalid(() -> update("SET " + word + " = :v", ":v", n(1)));
        assertInvalid(() -> client.getItem(r -> r.tableName(registry).key(key()).projectionExpression("pk, " + word)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "((attribute_exists(pk)))",
                "((v = :v))",
                "((v = :v) AND ((v = :v)))",
                "((v)) = :v",
                "v = ((:v))",
                "NOT ((v = :v))",
            })
    void redundant_parentheses_are_refused(String condition) {
        Map<String, AttributeValue> values = item(":v", n(1));

        assertInvalid(() -> putWith(r ->
                r.conditionExpression(condition).expressionAttributeValues(condition.contains(":v") ? values : null)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"(attribute_not_exists(pk))", "(attribute_not_exists(pk)) AND (attribute_not_exists(sk))"})
    void single_parentheses_are_accepted(String condition) {
        putWhere(condition);

        assertThat(get()).isNotEmpty();
    }

    @Test
    void an_unused_placeholder_of_a_name_is_refused() {
        assertInvalid(() -> putWith(r -> r.conditionExpression("attribute_not_exists(#p)")
                .expressionAttributeNames(names("#p", "pk", "#s", "sk"))));
        assertInvalid(() ->
                update(r -> r.updateExpression("REMOVE #v").expressionAttributeNames(names("#v", "v", "#w", "w"))));
    }

    @Test
    void an_unused_placeholder_of_a_value_is_refused() {
        assertInvalid(() -> putWhere("v = :v", ":v", n(1), ":w", n(2)));
        assertInvalid(() -> update("SET v = :v", ":v", n(1), ":w", n(2)));
    }

    @Test
    void an_undefined_placeholder_is_refused() {
        assertInvalid(() -> putWhere("attribute_not_exists(#p)"));
        assertInvalid(() -> putWith(
                r -> r.conditionExpression("attribute_not_exists(#p)").expressionAttributeNames(names("#q", "pk"))));
        assertInvalid(() -> putWhere("v = :v"));
        assertInvalid(() -> update("SET v = :v"));
    }

    @Test
    void placeholders_without_expression_are_refused() {
        assertInvalid(() -> putWith(r -> r.expressionAttributeNames(names("#p", "pk"))));
        assertInvalid(() -> putWith(r -> r.expressionAttributeValues(item(":v", n(1)))));
        assertInvalid(() ->
                client.getItem(r -> r.tableName(registry).key(key()).expressionAttributeNames(names("#p", "pk"))));
    }

    @Test
    void empty_placeholders_are_refused() {
        assertInvalid(() ->
                putWith(r -> r.conditionExpression("attribute_not_exists(pk)").expressionAttributeNames(Map.of())));
        assertInvalid(() ->
                putWith(r -> r.conditionExpression("attribute_not_exists(pk)").expressionAttributeValues(Map.of())));
    }

    @Test
    void a_placeholder_without_its_sign_is_refused() {
        assertInvalid(() -> putWith(r -> r.conditionExpression("attribute_not_exists(#p)")
                .expressionAttributeNames(names("#p", "pk", "p", "pk"))));
        assertInvalid(() -> putWhere("v = :v", ":v", n(1), "w", n(1)));
    }

    @Test
    void a_placeholder_of_an_invalid_value_is_refused() {
        assertInvalid(() -> putWhere("v = :v", ":v", n("x")));
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(
            strings = {
                "",
                "   ",
                "v",
                "v =",
                "= v",
                "v = w =",
                "AND v = w",
                "v = w AND",
                "NOT",
                "(v = w",
                "v = w)",
                "v == w",
                "v ! w",
                "v IN ()",
                "v IN w",
                "v BETWEEN w",
                "unknown(v)",
                "attribute_exists()",
                "attribute_exists(v, w)",
                "contains(v)",
                "begins_with(v)",
                "size(v)",
                "size(v, w) = x",
                "attribute_exists(v) = w",
                "v = 1",
                "v = 'x'",
                "v = \"x\"",
                "_v = w",
                "v = w; v = w",
            })
    void an_expression_with_a_syntax_error_is_refused(String condition) {
        assertInvalid(() -> putWhere(condition));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"attribute_exists(:v)", "attribute_not_exists(:v)"})
    void a_function_of_attributes_refuses_a_value(String condition) {
        assertInvalid(() -> putWhere(condition, ":v", s("x")));
    }

    @Test
    void a_function_refuses_an_operand_of_a_wrong_type() {
        assertInvalid(() -> putWhere("begins_with(v, :v)", ":v", n(1)));
        assertInvalid(() -> putWhere("size(:v) = :v", ":v", n(1)));
    }

    @Test
    void a_value_is_not_compared_with_itself() {
        assertInvalid(() -> putWhere("v = v"));
    }

    @Test
    void bounds_of_different_types_are_refused() {
        assertInvalid(() -> putWhere("v BETWEEN :a AND :b", ":a", n(1), ":b", s("x")));
        assertInvalid(() -> putWhere("v BETWEEN :a AND :b", ":a", n(2), ":b", n(1)));
    }

    @Test
    void in_has_at_most_100_operands() {
        Map<String, AttributeValue> values = item();
        IntStream.range(0, 101).forEach(i -> values.put(":v" + i, n(i)));
        String list = IntStream.range(0, 101).mapToObj(i -> ":v" + i).collect(Collectors.joining(", "));
        put("v", n(1));

        assertInvalid(
                () -> putWith(r -> r.conditionExpression("v IN (" + list + ")").expressionAttributeValues(values)));
        values.remove(":v100");
        putWith(r -> r.conditionExpression("v IN (" + list.replace(", :v100", "") + ")")
                .expressionAttributeValues(values));
    }

    @Test
    void an_expression_has_at_most_4_kilobytes() {
        String name = "v".repeat(200);
        String names = IntStream.range(0, 25).mapToObj(i -> name + i).collect(Collectors.joining(", "));

        assertInvalid(() -> update("REMOVE " + names));
    }

    @Test
    void an_item_may_have_many_attributes() {
        Map<String, AttributeValue> item = with(key());
        IntStream.range(0, 1000).forEach(i -> item.put("attribute" + i, n(i)));

        client.putItem(r -> r.tableName(registry).item(item));

        assertThat(get()).isEqualTo(item);
    }

    @Test
    void an_attribute_name_that_is_empty_is_refused() {
        assertInvalid(() -> put("", n(1)));
    }
}
