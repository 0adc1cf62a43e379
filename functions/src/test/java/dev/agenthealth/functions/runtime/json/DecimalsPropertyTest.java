package dev.agenthealth.functions.runtime.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

@Tag("AHS-02")
class DecimalsPropertyTest {

    @Property
    void a_share_is_shown_in_full_and_without_an_exponent(
            @ForAll @LongRange(min = 0, max = 1_000_000_000_000L) long part,
            @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long whole) {
        double share = (double) Math.min(part, whole) / whole;
        String text = text(Decimals.share(share));
        assertThat(text).matches("[01]\\.\\d+");
        assertThat(Double.parseDouble(text)).isEqualTo(share > 0 && share < 0.000_001 ? 0.000_001 : share);
    }

    @Property
    void a_number_is_rounded_and_shown_without_an_exponent(
            @ForAll @DoubleRange(min = -1e15, max = 1e15) double number, @ForAll @IntRange(max = 6) int decimals) {
        String text = text(Decimals.rounded(number, decimals));
        assertThat(text).matches("-?\\d+(\\.\\d{0," + Math.max(1, decimals) + "}[1-9]|\\.[1-9])?");
        assertThat(Double.parseDouble(text)).isCloseTo(number, within(Math.pow(10, -decimals)));
    }

    @Example
    void examples() {
        assertThat(text(Decimals.share(0))).isEqualTo("0.0");
        assertThat(text(Decimals.share(1))).isEqualTo("1.0");
        assertThat(text(Decimals.share(0.95))).isEqualTo("0.95");
        assertThat(text(Decimals.share(1e-9))).isEqualTo("0.000001");
        assertThat(text(Decimals.rounded(0, 3))).isEqualTo("0");
        assertThat(text(Decimals.rounded(1_000, 3))).isEqualTo("1000");
        assertThat(text(Decimals.rounded(2.5e9, 3))).isEqualTo("2500000000");
        assertThat(text(Decimals.rounded(1.2345, 3))).isEqualTo("1.235");
        assertThat(text(Decimals.rounded(0.0004, 3))).isEqualTo("0");
    }

    /** The text in a response. */
    private static String text(BigDecimal number) {
        return Json.text(Json.object().numberNode(number));
    }
}
