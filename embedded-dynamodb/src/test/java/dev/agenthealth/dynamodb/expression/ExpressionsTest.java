package dev.agenthealth.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class ExpressionsTest {

    private static final Arguments NONE = new Arguments(Map.of(), Map.of());
    private static final Map<String, AttributeValue> ITEM = ExpressionCases.withKey(SampleValues.item());

    @ParameterizedTest
    @MethodSource("dev.agenthealth.dynamodb.expression.ExpressionCases#conditions")
    void condition_has_the_result_or_the_message_of_dynamodb(String text, String expected) {
        assertThat(ExpressionCases.condition(ITEM, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("dev.agenthealth.dynamodb.expression.ExpressionCases#updates")
    void update_has_the_result_or_the_message_of_dynamodb(String text, String expected) {
        assertThat(ExpressionCases.update(ITEM, text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b = :n",
                "a[0] = :n",
                "as_n <> :n",
                "attribute_type(as_n, :s)",
            })
    void condition_outside_the_subset_is_unsupported(String text) {
        assertThatThrownBy(() -> condition(text)).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET a.b = :n",
                "SET a[0] = :n",
                "SET as_n = as_n + :n",
                "SET as_n = as_n - :n",
                "SET as_l = list_append(as_l, :l)",
                "DELETE as_bs :bs",
                "SET as_n = (:n)",
            })
    void update_outside_the_subset_is_unsupported(String text) {
        assertThatThrownBy(() -> update(text)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void size_is_reserved_though_dynamodb_local_accepts_it() {
        assertThatThrownBy(() -> condition("size = :n"))
                .hasMessageContaining("Attribute name is a reserved keyword; reserved keyword: size");
    }

    @Test
    void message_of_a_filter_names_it() {
        assertThatThrownBy(() -> Expressions.condition("as_n =", "FilterExpression", SampleValues.arguments("as_n =")))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("Invalid FilterExpression: Syntax error");
    }

    @ParameterizedTest
    @CsvSource({
        "n=:n, ' AND n=:n', 149, 301",
        "n=:n, ' OR n=:n', 149, 301",
        "n=:n, ' AND NOT n=:n', 99, 301",
        "n IN (:n), ' AND n BETWEEN :n AND :n', 149, 301",
        "'contains(n,:n)', ' OR begins_with(n,:s)', 149, 301",
    })
    void condition_has_at_most_300_operators(String first, String further, int most, int tooMany) {
        ConditionParser.parse(first + further.repeat(most), "ConditionExpression");

        assertThatThrownBy(() -> ConditionParser.parse(first + further.repeat(most + 1), "ConditionExpression"))
                .hasMessageContaining("Invalid ConditionExpression: The expression contains too many operators;"
                        + " operator count: " + tooMany);
    }

    @ParameterizedTest
    @CsvSource({
        "SET a=:n, ',a=:n', 299",
        "REMOVE a, ',a', 299",
        "ADD a :n, ',a :n', 299",
        "'SET a=:n,a=if_not_exists(a,:n)', ',a=:n', 297",
    })
    void update_has_at_most_300_operators(String first, String further, int most) {
        UpdateParser.parse(first + further.repeat(most), "UpdateExpression");

        assertThatThrownBy(() -> UpdateParser.parse(first + further.repeat(most + 1), "UpdateExpression"))
                .hasMessageContaining(
                        "Invalid UpdateExpression: The expression contains too many operators; operator count: 301");
    }

    @Test
    void expression_has_at_most_4_kilobytes() {
        condition("n=:n" + " ".repeat(4092));

        assertThatThrownBy(() -> condition("n=:n" + " ".repeat(4093)))
                .hasMessageContaining("Expression size has exceeded the maximum allowed size; expression size: 4097");
    }

    @Test
    void operand_of_in_has_at_most_100_candidates() {
        condition("n IN (:n" + ",:n".repeat(99) + ")");

        assertThatThrownBy(() -> condition("n IN (:n" + ",:n".repeat(100) + ")"))
                .hasMessageContaining("The IN operator is provided with too many operands; number of operands: 101");
    }

    @Test
    void parentheses_beside_each_other_are_as_many_as_the_operators_permit() {
        String between = "(n) BETWEEN (:n) AND (:n)";

        assertThat(condition(between + (" AND " + between).repeat(120)).holds(Map.of("n", AttributeValue.fromN("3"))))
                .isTrue();
    }

    @Test
    void parentheses_and_functions_may_not_exhaust_the_stack() {
        String nested = "(".repeat(300) + "n=:n" + " AND n=:n)".repeat(300);
        assertThatThrownBy(() -> ConditionParser.parse(nested, "ConditionExpression"))
                .hasMessageContaining("too many operators; operator count: 601");
        assertThatThrownBy(() -> condition("(".repeat(4000))).isInstanceOf(DynamoDbException.class);
        assertThatThrownBy(() -> condition("NOT ".repeat(1000) + "n=:n")).isInstanceOf(DynamoDbException.class);
        assertThatThrownBy(() -> condition("size(".repeat(800)))
                .hasMessageContaining("too many operators; operator count: 301");
        assertThatThrownBy(() -> update("SET n=" + "if_not_exists(n,".repeat(250)))
                .isInstanceOf(DynamoDbException.class);
    }

    @Test
    void empty_item_has_no_attributes() {
        assertThat(condition("attribute_not_exists(pk)").holds(Map.of())).isTrue();
        assertThat(condition("pk = :s").holds(Map.of())).isFalse();
    }

    @Test
    void update_leaves_the_item_before_it_as_it_was() {
        Map<String, AttributeValue> item = Map.of("x1", AttributeValue.fromN("1"));

        Map<String, AttributeValue> updated =
                update("SET x2 = x1, x1 = :s ADD x3 :n REMOVE x4").applied(item);

        assertThat(item).containsOnlyKeys("x1");
        assertThat(updated)
                .isEqualTo(Map.of(
                        "x1", AttributeValue.fromS("abc"),
                        "x2", AttributeValue.fromN("1"),
                        "x3", AttributeValue.fromN("3")));
    }

    @Test
    void update_names_the_attributes_that_it_may_change() {
        assertThat(update("SET x1 = if_not_exists(x5, :s), #x2 = x6 ADD x3 :n REMOVE x4")
                        .attributes())
                .containsExactlyInAnyOrder("x1", "x2", "x3", "x4");
    }

    @Test
    void same_text_serves_requests_with_different_arguments() {
        String text = "#a = :v";
        Condition one = Expressions.condition(
                text,
                "ConditionExpression",
                new Arguments(Map.of("#a", "x1"), Map.of(":v", AttributeValue.fromN("1.0"))));
        Condition other = Expressions.condition(
                text,
                "ConditionExpression",
                new Arguments(Map.of("#a", "x2"), Map.of(":v", AttributeValue.fromS("b"))));

        assertThat(one.holds(Map.of("x1", AttributeValue.fromN("1")))).isTrue();
        assertThat(other.holds(Map.of("x2", AttributeValue.fromS("b")))).isTrue();
        assertThat(other.holds(Map.of("x1", AttributeValue.fromN("1")))).isFalse();
    }

    @Test
    void a_thousand_texts_are_parsed_once_and_further_ones_begin_anew() {
        AtomicInteger parsed = new AtomicInteger();
        ParsedCache<String> cache = new ParsedCache<>((text, kind) -> {
            parsed.incrementAndGet();
            return text + " of " + kind;
        });
        for (int repeated = 0; repeated < 2; repeated++) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(cache.get("x" + i, "k")).isEqualTo("x" + i + " of k");
            }
        }
        assertThat(parsed).hasValue(1_000);

        cache.get("another", "k");
        cache.get("x0", "k");
        assertThat(parsed).hasValue(1_002);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pk = :s | pk EQUAL abc",
                ":s = pk | pk EQUAL abc",
                "pk = :s AND sk < :s2 | pk EQUAL abc, sk LESS abd",
                "pk = :s AND :s2 < sk | pk EQUAL abc, sk GREATER abd",
                "sk <= :s2 AND pk = :s | sk AT_MOST abd, pk EQUAL abc",
                "(#pk = :s) AND (#sk >= :s2) | pk EQUAL abc, sk AT_LEAST abd",
                "pk = :s AND sk BETWEEN :s AND :s2 | pk EQUAL abc, sk BETWEEN abc abd",
                "pk = :s AND begins_with(sk, :sx) | pk EQUAL abc, sk BEGINS_WITH ab",
            })
    void key_condition_has_its_comparisons(String text, String expected) {
        List<String> comparisons = Expressions.keyCondition(text, SampleValues.arguments(text)).comparisons().stream()
                .map(c -> c.attribute() + " " + c.operator() + " "
                        + String.join(
                                " ",
                                c.operands().stream().map(AttributeValue::s).toList()))
                .toList();

        assertThat(String.join(", ", comparisons)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pk = :s OR sk = :s | Invalid operator used in KeyConditionExpression: OR",
                "NOT pk = :s | Invalid operator used in KeyConditionExpression: NOT",
                "pk = :s AND sk IN (:s) | Invalid operator used in KeyConditionExpression: IN",
                "attribute_exists(pk) | Invalid operator used in KeyConditionExpression: attribute_exists",
                "pk = :s AND contains(sk, :s) | Invalid operator used in KeyConditionExpression: contains",
                "pk = :s AND size(sk) = :n | KeyConditionExpressions cannot contain nested operations",
                "pk = :s AND pk = :s | KeyConditionExpressions must only contain one condition per key",
                "pk = :s AND sk > :s AND sk < :s2 | KeyConditionExpressions must only contain one condition per key",
                "pk = :s AND sk = :s AND x3 = :s | Conditions can be of length 1 or 2 only",
                "status = :s | Invalid KeyConditionExpression: Attribute name is a reserved keyword",
                "pk = :s AND begins_with(sk, :n) | Invalid KeyConditionExpression: Incorrect operand type",
                "pk = :s AND sk BETWEEN :s2 AND :s | requires upper bound to be greater than or equal to lower",
            })
    void key_condition_of_another_form_is_refused(String text, String message) {
        assertThatThrownBy(() -> Expressions.keyCondition(text, SampleValues.arguments(text)))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining(message);
    }

    @Test
    void projection_has_its_attributes_in_order() {
        String text = "x3, #x1,x2";

        assertThat(projection(text)).containsExactly("x3", "x1", "x2");
        assertThat(Expressions.projection(text, SampleValues.arguments(text))).containsExactly("x3", "x1", "x2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x1, #x1 | Two document paths overlap with each other",
                "x1, | Syntax error; token: \"<EOF>\", near: \",\"",
                "x1 x2 | Syntax error; token: \"x2\", near: \"x1 x2\"",
                "(x1) | Syntax error; token: \"(\", near: \"(x1\"",
                ":n | Syntax error; token: \":n\", near: \":n\"",
                "x1, status | Attribute name is a reserved keyword; reserved keyword: status",
                "#undefined | An expression attribute name used in the document path is not defined",
            })
    void invalid_projection_is_refused(String text, String message) {
        assertThatThrownBy(() -> projection(text))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("Invalid ProjectionExpression: " + message);
    }

    @Test
    void unused_arguments_are_refused() {
        Arguments arguments =
                new Arguments(new HashMap<>(Map.of("#a", "a1", "#b", "b1")), Map.of(":v", AttributeValue.fromN("1")));
        Expressions.condition("#a = :v", "ConditionExpression", arguments);

        assertThatThrownBy(arguments::checkAllUsed)
                .hasMessageContaining("Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
    }

    @Test
    void unused_values_are_refused() {
        Arguments arguments = new Arguments(Map.of(), Map.of(":v", AttributeValue.fromN("1")));

        assertThatThrownBy(arguments::checkAllUsed)
                .hasMessageContaining("Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}");
    }

    @Test
    void arguments_that_all_expressions_use_together_are_accepted() {
        Arguments arguments = SampleValues.arguments("#a = :n", "SET #b = :s");
        Expressions.condition("#a = :n", "ConditionExpression", arguments);
        Expressions.update("SET #b = :s", arguments);

        arguments.checkAllUsed();
        NONE.checkAllUsed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "#", "#a-b", ":a", ""})
    void placeholder_of_a_name_has_the_right_form(String placeholder) {
        assertThatThrownBy(() -> new Arguments(Map.of(placeholder, "a1"), Map.of()))
                .hasMessageContaining(
                        "ExpressionAttributeNames contains invalid key: Syntax error; key: \"" + placeholder + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", ":", ":a-b", "#a", ""})
    void placeholder_of_a_value_has_the_right_form(String placeholder) {
        assertThatThrownBy(() -> new Arguments(Map.of(), Map.of(placeholder, AttributeValue.fromN("1"))))
                .hasMessageContaining(
                        "ExpressionAttributeValues contains invalid key: Syntax error; key: \"" + placeholder + "\"");
    }

    @Test
    void invalid_value_is_named() {
        assertThatThrownBy(() -> new Arguments(
                        Map.of(), Map.of(":v", AttributeValue.builder().build())))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("ExpressionAttributeValues contains invalid value:"
                        + " Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
                        + " for key :v");
    }

    /** Parsed anew, as {@link ExpressionCases#condition}. */
    private static Condition condition(String text) {
        return ConditionParser.parse(text, "ConditionExpression")
                .bound("ConditionExpression", SampleValues.arguments(text));
    }

    private static Update update(String text) {
        return UpdateParser.parse(text, ParsedUpdate.KIND).bound(SampleValues.arguments(text));
    }

    private static Set<String> projection(String text) {
        return ParsedProjection.parse(text, ParsedProjection.KIND).bound(SampleValues.arguments(text));
    }
}
