package dev.agenthealth.functions.api.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.testkit.TestJson;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The canonical form of JSON (RFC 8785), with the numbers of its appendix B. */
class CanonicalJsonTest {

    @ParameterizedTest
    @CsvSource({
        "0000000000000000,0",
        "8000000000000000,0",
        "0000000000000001,5e-324",
        "8000000000000001,-5e-324",
        "7fefffffffffffff,1.7976931348623157e+308",
        "ffefffffffffffff,-1.7976931348623157e+308",
        "4340000000000000,9007199254740992",
        "c340000000000000,-9007199254740992",
        "4430000000000000,295147905179352830000",
        "44b52d02c7e14af5,9.999999999999997e+22",
        "44b52d02c7e14af6,1e+23",
        "44b52d02c7e14af7,1.0000000000000001e+23",
        "444b1ae4d6e2ef4e,999999999999999700000",
        "444b1ae4d6e2ef4f,999999999999999900000",
        "444b1ae4d6e2ef50,1e+21",
        "3eb0c6f7a0b5ed8c,9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d,0.000001",
        "41b3de4355555553,333333333.3333332",
        "41b3de4355555554,333333333.33333325",
        "41b3de4355555555,333333333.3333333",
        "41b3de4355555556,333333333.3333334",
        "41b3de4355555557,333333333.33333343",
        "becbf647612f3696,-0.0000033333333333333333",
        "43143ff3c1cb0959,1424953923781206.2",
        "3d30000000000000,5.684341886080802e-14",
        // Another implementation writes these subnormal numbers in another form, fails, or does not return.
        "00000000000007e8,1e-320",
        "000000000c1069cd,1e-315",
        "0000000078a42205,1e-314",
    })
    void a_number_has_the_fewest_digits_that_are_read_as_it(String bits, String text) {
        assertThat(CanonicalJson.number(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ \"b\" : 1.0, \"a\":[ 1e2, true , null ] } | {\"a\":[100,true,null],\"b\":1}",
                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"
                        + " | {\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\ud83d\ude00\":5,\"\ufb33\":3}",
                "\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\\u007f\" | \"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\u007f\"",
                "{\"a\":{},\"b\":[]} | {\"a\":{},\"b\":[]}",
            })
    void members_are_sorted_by_code_units_and_texts_escaped_only_where_json_demands_it(String json, String canonical) {
        assertThat(new String(CanonicalJson.of(TestJson.read(json)), StandardCharsets.UTF_8))
                .isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "\"\\ud83d\""})
    void what_no_other_implementation_reads_the_same_has_no_form(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> CanonicalJson.of(TestJson.read("[" + json + "]")));
    }

    @Test
    void every_double_is_read_as_it_was_written() {
        long bits = 1;
        for (int i = 0; i < 2_000; i++) {
            bits = bits * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            double value = Double.longBitsToDouble(bits);
            if (!Double.isNaN(value) && !Double.isInfinite(value)) {
                assertThat(Double.parseDouble(CanonicalJson.number(value))).isEqualTo(value);
            }
        }
    }
}
