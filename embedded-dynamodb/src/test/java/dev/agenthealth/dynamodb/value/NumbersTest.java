package dev.agenthealth.dynamodb.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

class NumbersTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "0.000, 0",
        "0E500, 0",
        "00012, 12",
        "-00012, -12",
        "+5, 5",
        ".5, 0.5",
        "5., 5",
        "1e3, 1000",
        "1E-3, 0.001",
        "100.00, 100",
        "-1.50, -1.5",
        "12345678901234567890123456789012345678, 12345678901234567890123456789012345678",
        "123456789012345678901234567890123456780, 123456789012345678901234567890123456780",
    })
    void number_gets_its_normal_form(String number, String normal) {
        assertThat(Numbers.normal(number)).isEqualTo(normal);
    }

    @Test
    void normal_integer_is_returned_as_it_is() {
        String number = new String("-1234567890");

        assertThat(Numbers.normal(number)).isSameAs(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+",
                "abc",
                "1e",
                "1.5.5",
                "NaN",
                "Infinity",
                " 5",
                "5 ",
                "1_000",
                "0x10",
                "1d",
                "\u0665"
            })
    void text_that_is_no_number_is_refused(String text) {
        assertThatThrownBy(() -> Numbers.normal(text))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("The parameter cannot be converted to a numeric value");
    }

    @ParameterizedTest
    @CsvSource({"abc, ': abc'", "'', ''"})
    void what_is_no_number_is_named(String text, String named) {
        assertThatThrownBy(() -> Numbers.normal(text))
                .extracting(refused ->
                        ((DynamoDbException) refused).awsErrorDetails().errorMessage())
                .isEqualTo("The parameter cannot be converted to a numeric value" + named);
    }

    @ParameterizedTest
    @CsvSource({
        "1E126, Number overflow",
        "-1E126, Number overflow",
        "1E999999999, Number overflow",
        "100E2147483647, Number overflow",
        "1E-131, Number underflow",
        "1E-999999999, Number underflow",
        "123456789012345678901234567890123456789, more than 38 significant digits",
        "0.123456789012345678901234567890123456789, more than 38 significant digits",
    })
    void number_out_of_range_or_precision_is_refused(String number, String message) {
        assertThatThrownBy(() -> Numbers.normal(number))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining(message);
    }

    @Property
    void normal_form_has_the_same_value_and_is_its_own_normal_form(@ForAll("decimals") BigDecimal number) {
        String normal = Numbers.normal(number.toString());

        assertThat(new BigDecimal(normal)).isEqualByComparingTo(number);
        assertThat(normal).doesNotContain("E");
        assertThat(Numbers.normal(normal)).isEqualTo(normal);
        assertThat(Numbers.normal(number.toPlainString())).isEqualTo(normal);
    }

    @Property
    void order_is_that_of_the_values(@ForAll("decimals") BigDecimal one, @ForAll("decimals") BigDecimal other) {
        int order = Numbers.compare(Numbers.normal(one.toString()), Numbers.normal(other.toString()));

        assertThat(Integer.signum(order)).isEqualTo(one.compareTo(other));
    }

    @Property
    void sum_is_exact(@ForAll("addends") BigDecimal one, @ForAll("addends") BigDecimal other) {
        String sum = Numbers.sum(Numbers.normal(one.toString()), Numbers.normal(other.toString()));

        assertThat(sum).isEqualTo(Numbers.normal(one.add(other).toString()));
    }

    @ParameterizedTest
    @CsvSource({
        "999999999999999999, 999999999999999999, 1999999999999999998",
        "9999999999999999999, 9999999999999999999, 19999999999999999998",
        "-9999999999999999999, -9999999999999999999, -19999999999999999998",
        "1.5, 1.5, 3",
        "1, -0.5, 0.5",
        "-1, 1, 0"
    })
    void sum_may_be_longer_than_its_addends(String one, String other, String sum) {
        assertThat(Numbers.sum(one, other)).isEqualTo(sum);
    }

    @Test
    void sum_that_needs_more_digits_is_refused() {
        assertThatThrownBy(() -> Numbers.sum("99999999999999999999999999999999999999", "0.5"))
                .isInstanceOf(DynamoDbException.class)
                .hasMessageContaining("more than 38 significant digits");
    }

    @Provide
    Arbitrary<BigDecimal> decimals() {
        return Combinators.combine(
                        Arbitraries.oneOf(integers("99999999999999999999999999999999999999"), integers("20")),
                        Arbitraries.integers().between(-80, 120))
                .as(BigDecimal::new);
    }

    @Provide
    Arbitrary<BigDecimal> addends() {
        return Combinators.combine(
                        Arbitraries.oneOf(integers("99999999999999999999"), integers("200")),
                        Arbitraries.integers().between(0, 8))
                .as(BigDecimal::new);
    }

    private static Arbitrary<BigInteger> integers(String max) {
        return Arbitraries.bigIntegers().between(new BigInteger(max).negate(), new BigInteger(max));
    }
}
