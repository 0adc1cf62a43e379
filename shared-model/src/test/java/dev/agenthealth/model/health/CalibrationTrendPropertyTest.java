package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;

@Tag("AHS-10")
class CalibrationTrendPropertyTest {

    @Property
    void what_improves_one_way_declines_the_other(
            @ForAll @LongRange(max = 300) long a,
            @ForAll @LongRange(max = 300) long b,
            @ForAll @LongRange(max = 300) long c,
            @ForAll @LongRange(max = 300) long d) {
        CalibrationTrend there = CalibrationTrend.between(a, a + b, c, c + d);
        CalibrationTrend back = CalibrationTrend.between(c, c + d, a, a + b);
        assertThat(back)
                .isEqualTo(
                        switch (there) {
                            case STABLE -> CalibrationTrend.STABLE;
                            case DECLINING -> CalibrationTrend.IMPROVING;
                            case IMPROVING -> CalibrationTrend.DECLINING;
                        });
    }

    @Property
    void the_trend_is_what_many_digits_say(
            @ForAll @LongRange(max = 1_000) long a,
            @ForAll @LongRange(min = 5, max = 1_000) long b,
            @ForAll @LongRange(max = 1_000) long c,
            @ForAll @LongRange(min = 5, max = 1_000) long d) {
        if (a + b < 10 || c + d < 10) {
            assertThat(CalibrationTrend.between(a, a + b, c, c + d)).isEqualTo(CalibrationTrend.STABLE);
            return;
        }
        // Two ratios of at most 2,000 samples each differ from a tenth by nothing or by more than 40 digits can miss.
        BigDecimal change = ratio(c, c + d).subtract(ratio(a, a + b)).setScale(30, RoundingMode.HALF_UP);
        BigDecimal tenth = new BigDecimal("0.1");
        CalibrationTrend expected = change.compareTo(tenth) > 0
                ? CalibrationTrend.IMPROVING
                : change.compareTo(tenth.negate()) < 0 ? CalibrationTrend.DECLINING : CalibrationTrend.STABLE;
        assertThat(CalibrationTrend.between(a, a + b, c, c + d)).isEqualTo(expected);
    }

    private static BigDecimal ratio(long part, long whole) {
        return BigDecimal.valueOf(part).divide(BigDecimal.valueOf(whole), new MathContext(40));
    }
}
