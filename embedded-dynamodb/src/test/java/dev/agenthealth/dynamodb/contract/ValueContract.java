package dev.agenthealth.dynamodb.contract;

import static dev.agenthealth.dynamodb.contract.Values.b;
import static dev.agenthealth.dynamodb.contract.Values.bs;
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

/** Numbers, strings and binary values: normal form, order and equality. */
abstract class ValueContract extends Contract {

    ValueContract(Backend backend) {
        super(backend);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0, 0",
        "-0, 0",
        "0.0, 0",
        "1.0, 1",
        "1.50, 1.5",
        "007, 7",
        "-007.10, -7.1",
        "+5, 5",
        "1e3, 1000",
        "1E-5, 0.00001",
        "1.5e2, 150",
        "100e-2, 1",
        ".5, 0.5",
        "12345678901234567890123456789012345678, 12345678901234567890123456789012345678",
        "0.12345678901234567890123456789012345678, 0.12345678901234567890123456789012345678",
        "100000000000000000000000000000000000000000, 100000000000000000000000000000000000000000",
        "1700000000000, 1700000000000",
    })
    void a_number_is_returned_in_normal_form(String written, String read) {
        put("v", n(written));

        assertThat(get().get("v")).isEqualTo(n(read));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "9.9999999999999999999999999999999999999E+125",
                "-9.9999999999999999999999999999999999999E+125",
                "1E-130",
                "-1E-130",
            })
    void the_largest_and_smallest_numbers_are_stored(String number) {
        put("v", n(number));

        assertThat(new java.math.BigDecimal(get().get("v").n())).isEqualByComparingTo(number);
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(
            strings = {
                "123456789012345678901234567890123456789",
                "0.123456789012345678901234567890123456789",
                "1E+126",
                "1E-131",
                "",
                "abc",
                "1a",
                "1 2",
                "NaN",
                "Infinity",
                "0x10",
                "1_000",
                "1,5",
                "--1",
                "1e",
                ".",
            })
    void what_is_not_a_number_of_38_digits_is_refused(String number) {
        assertInvalid(() -> put("v", n(number)));
        assertInvalid(() -> put("v", l(n(number))));
        assertInvalid(() -> update("SET v = :v", ":v", n(number)));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "9, <, 10",
        "-10, <, -9",
        "-1, <, 0",
        "1.0, =, 1",
        "1e2, =, 100",
        "0.1, <, 0.11",
        "0.000000000000000000000000000000000000001, >, 0",
        "12345678901234567890123456789012345678, <, 12345678901234567890123456789012345679",
        "9007199254740993, >, 9007199254740992",
    })
    void numbers_are_compared_by_value(String left, String operator, String right) {
        put("v", n(left));

        assertThat(holds("v " + operator + " :v", ":v", n(right))).isTrue();
    }

    @Test
    void numbers_within_lists_and_maps_are_equal_by_value() {
        put("v", l(n("1.0")), "w", m("k", n("1e1")));

        assertThat(holds("v = :v AND w = :w", ":v", l(n("1")), ":w", m("k", n("10"))))
                .isTrue();
        assertThat(get().get("v")).isEqualTo(l(n("1")));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "an upper-case letter, Z, a",
        "a prefix, a, ab",
        "two bytes after one, z, \u00e9",
        "three bytes after two, \u07ff, \u0800",
        "four bytes after three, \uffee, \uD83D\uDE00",
        "two supplementary characters, \uD83D\uDE00, \uD83D\uDE01",
    })
    void strings_order_by_utf_8_bytes(String reason, String less, String greater) {
        put("v", s(less));

        assertThat(holds("v < :v", ":v", s(greater))).isTrue();
        assertThat(holds("v > :v", ":v", s(greater))).isFalse();
    }

    @Test
    void an_empty_string_is_less_than_any_other() {
        put("v", s(""));

        assertThat(holds("v < :v", ":v", s("\u0000"))).isTrue();
        assertThat(holds("v = :v", ":v", s(""))).isTrue();
    }

    @Test
    void strings_are_not_normalized() {
        put("v", s("\u00e9"));

        assertThat(holds("v = :v", ":v", s("e\u0301"))).isFalse();
        assertThat(get().get("v")).isEqualTo(s("\u00e9"));
    }

    @Test
    void binary_values_order_by_unsigned_bytes() {
        put("v", b(0x7f));

        assertThat(holds("v < :v", ":v", b(0x80))).isTrue();
        assertThat(holds("v < :v", ":v", b(0x7f, 0))).isTrue();
    }

    @Test
    void sets_are_equal_in_any_order() {
        put("v", bs("a", "b"));

        assertThat(holds("v = :v", ":v", bs("b", "a"))).isTrue();
        assertThat(holds("v = :v", ":v", bs("a"))).isFalse();
    }

    @Test
    void a_number_in_normal_form_is_returned_by_updates() {
        AttributeValue returned = update(r -> r.updateExpression("SET v = :v")
                        .expressionAttributeValues(Values.item(":v", n("1.50")))
                        .returnValues("ALL_NEW"))
                .get("v");

        assertThat(returned).isEqualTo(n("1.5"));
    }

    @Test
    void attribute_names_are_case_sensitive() {
        put("v", n(1), "V", n(2));

        assertThat(get().get("v")).isEqualTo(n(1));
        assertThat(get().get("V")).isEqualTo(n(2));
    }
}
