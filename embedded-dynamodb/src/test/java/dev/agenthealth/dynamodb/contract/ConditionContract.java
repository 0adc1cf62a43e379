package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.b;
import static dev.agenthealth.dynamodb.contract.Values.bs;
import static dev.agenthealth.dynamodb.contract.Values.flag;
import static dev.agenthealth.dynamodb.contract.Values.l;
import static dev.agenthealth.dynamodb.contract.Values.m;
import static dev.agenthealth.dynamodb.contract.Values.n;
import static dev.agenthealth.dynamodb.contract.Values.s;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Condition expressions. */
abstract class ConditionContract extends Contract {

    ConditionContract(Backend backend) {
        super(backend);
    }

    /** An item with an attribute of each type. */
    private void putTypes() {
        put(
                "str", s("banana"),
                "num", n(10),
                "bin", b("ab"),
                "flg", flag(true),
                "lst", l(s("x"), n(1)),
                "obj", m("k", s("v")),
                "bset", bs("a", "b"));
    }

    private static AttributeValue value(String placeholder) {
        return switch (placeholder) {
            case ":banana" -> s("banana");
            case ":b" -> s("b");
            case ":nan" -> s("nan");
            case ":c" -> s("c");
            case ":9" -> n(9);
            case ":10" -> n("10.0");
            case ":11" -> n(11);
            case ":text10" -> s("10");
            case ":true" -> flag(true);
            case ":false" -> flag(false);
            case ":ab" -> b("ab");
            case ":ac" -> b("ac");
            case ":byte_a" -> b("a");
            case ":byte_z" -> b("z");
            case ":list" -> l(s("x"), n(1));
            case ":reversed" -> l(n(1), s("x"));
            case ":map" -> m("k", s("v"));
            case ":set_ba" -> bs("b", "a");
            case ":x" -> s("x");
            case ":1" -> n(1);
            case ":2" -> n(2);
            case ":3" -> n(3);
            case ":6" -> n(6);
            default -> throw new IllegalArgumentException(placeholder);
        };
    }

    private boolean holdsWithValues(String condition) {
        Object[] values = java.util.regex.Pattern.compile(":\\w+")
                .matcher(condition)
                .results()
                .map(java.util.regex.MatchResult::group)
                .distinct()
                .flatMap(placeholder -> java.util.stream.Stream.of((Object) placeholder, value(placeholder)))
                .toArray();
        return holds(condition, values);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "attribute_exists(num)",
                "attribute_not_exists(absent)",
                "NOT attribute_exists(absent)",
                "str = :banana",
                "str < :c",
                "str > :b",
                "str <= :banana",
                "str >= :banana",
                "num = :10",
                "num > :9",
                "num < :11",
                "num <= :10",
                "num >= :10",
                "bin = :ab",
                "bin < :ac",
                "flg = :true",
                "lst = :list",
                "obj = :map",
                "bset = :set_ba",
                "num IN (:9, :10)",
                "str IN (:9, :banana)",
                "contains(str, :nan)",
                "contains(bset, :byte_a)",
                "contains(lst, :x)",
                "contains(lst, :1)",
                "contains(bin, :byte_a)",
                "NOT contains(bset, :byte_z)",
                "size(str) = :6",
                "size(bin) = :2",
                "size(bset) = :2",
                "size(lst) < :3",
                "size(obj) = :1",
                "begins_with(str, :b)",
                "num BETWEEN :9 AND :10",
                "num = :10 AND str = :banana",
                "num = :9 OR str = :banana",
                "NOT num = :9",
                "NOT (num = :9 OR num = :11)",
                // AND binds more tightly than OR, and NOT more tightly than AND.
                "num = :10 OR num = :9 AND num = :11",
                "NOT num = :9 AND num = :10",
                "(num = :9 OR num = :10) AND str = :banana",
                // Keywords are not case-sensitive.
                "num = :10 and not num = :9",
            })
    void a_condition_holds(String condition) {
        putTypes();

        assertThat(holdsWithValues(condition)).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "attribute_exists(absent)",
                "attribute_not_exists(num)",
                "str = :b",
                "str < :banana",
                "num > :10",
                "bin > :ac",
                "flg = :false",
                "lst = :reversed",
                "num IN (:9, :11)",
                "contains(str, :x)",
                "contains(bset, :byte_z)",
                "NOT contains(bset, :byte_a)",
                "size(str) < :6",
                "begins_with(str, :nan)",
                "num = :10 AND str = :b",
                "num = :9 OR str = :b",
                "(num = :9 OR num = :10) AND str = :b",
            })
    void a_condition_does_not_hold(String condition) {
        putTypes();

        assertThat(holdsWithValues(condition)).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "num = :text10",
                "num < :text10",
                "num > :text10",
                "num <= :text10",
                "str >= :9",
                "flg = :1",
                "flg < :1",
                "bset > :ab",
                "bin = :x",
                "num IN (:text10, :x)",
                "contains(bset, :x)",
                "contains(num, :1)",
                "contains(lst, :text10)",
                "begins_with(num, :x)",
                "num BETWEEN :b AND :c",
                "size(num) = :2",
                "size(flg) = :1",
            })
    void a_condition_on_a_value_of_another_type_is_false(String condition) {
        putTypes();

        assertThat(holdsWithValues(condition)).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "absent = :1",
                "absent < :1",
                "absent > :1",
                "absent <= :1",
                "absent >= :1",
                "absent IN (:1, :2)",
                "contains(absent, :x)",
                "begins_with(absent, :x)",
                "absent BETWEEN :1 AND :2",
                "size(absent) = :1",
                "size(absent) < :1",
            })
    void a_condition_on_a_missing_attribute_is_false(String condition) {
        putTypes();

        assertThat(holdsWithValues(condition)).isFalse();
        assertThat(holdsWithValues("NOT " + condition)).isTrue();
    }

    @Test
    void a_condition_on_a_missing_item_sees_no_attributes() {
        assertThat(holds("attribute_not_exists(pk)")).isTrue();
        assertThat(holds("attribute_exists(pk)")).isFalse();
        assertThat(holds("attribute_exists(pk) OR NOT v = :v", ":v", n(1))).isTrue();
    }

    @Test
    void a_condition_sees_the_key() {
        put();

        assertThat(holds("pk = :pk AND sk = :sk", ":pk", s(pk), ":sk", s("a"))).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"<", "<=", ">", ">="})
    void an_order_is_refused_for_values_without_order(String operator) {
        put("v", n(1));

        assertInvalid(() -> putWhere("v " + operator + " :v", ":v", flag(true)));
        assertInvalid(() -> putWhere("v " + operator + " :v", ":v", bs("a")));
        assertInvalid(() -> putWhere("v " + operator + " :v", ":v", l()));
        assertInvalid(() -> putWhere("v " + operator + " :v", ":v", m()));
    }

    @Test
    void a_put_checks_its_condition_on_the_old_item() {
        put("v", n(1));

        assertConditionFails(() -> client.putItem(r -> r.tableName(registry)
                .item(Values.with(key(), "v", n(2)))
                .conditionExpression("v = :v")
                .expressionAttributeValues(Values.item(":v", n(2)))));
    }

    @Test
    void an_attribute_is_named_by_a_placeholder() {
        put("status", s("UP"), "a.b", n(1), "with space", n(2));

        putWith(r -> r.conditionExpression("#s = :s AND attribute_exists(#d) AND attribute_exists(#w)")
                .expressionAttributeNames(names("#s", "status", "#d", "a.b", "#w", "with space"))
                .expressionAttributeValues(Values.item(":s", s("UP"))));
    }

    @Test
    void a_placeholder_may_be_used_twice() {
        put("v", n(1), "w", n(1));

        assertThat(holds("v = :v AND w = :v", ":v", n(1))).isTrue();
    }

    @Test
    void two_attributes_are_compared() {
        put("v", n(1), "w", n(2), "t", s("2"));

        assertThat(holds("v < w")).isTrue();
        assertThat(holds("w = t")).isFalse();
    }

    @Test
    void a_function_name_is_case_sensitive() {
        assertInvalid(() -> putWhere("ATTRIBUTE_EXISTS(pk)"));
    }
}
