package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("AHS-10")
class CalibrationTrendTest {

    @ParameterizedTest(name = "from {0} of {1} to {2} of {3}: {4}")
    @CsvSource({
        "80,    100,   80,    100,   STABLE",
        // exactly 0.10 is no trend, in either direction; doubles say 0.09999999999999998 or 0.10000000000000009
        "80,    100,   90,    100,   STABLE",
        "90,    100,   80,    100,   STABLE",
        "9,     10,    10,    10,    STABLE",
        "10,    10,    9,     10,    STABLE",
        "3,     10,    40,    100,   STABLE",
        "60,    100,   7,     10,    STABLE",
        // a little more is one
        "80000, 100000, 90001, 100000, IMPROVING",
        "90001, 100000, 80000, 100000, DECLINING",
        "80001, 100000, 90000, 100000, STABLE",
        // 7/9 - 2/3 = 1/9 with enough samples
        "8,     12,    14,    18,    IMPROVING",
        "14,    18,    8,     12,    DECLINING",
        "100,   100,   0,     100,   DECLINING",
        "0,     100,   100,   100,   IMPROVING",
        // fewer than ten samples in either window
        "0,     9,     100,   100,   STABLE",
        "100,   100,   0,     9,     STABLE",
        "0,     0,     10,    10,    STABLE",
        "10,    10,    0,     0,     STABLE",
        "0,     0,     0,     0,     STABLE",
        "0,     10,    10,    10,    IMPROVING",
        "10,    10,    0,     10,    DECLINING",
        // products beyond every long
        "9000000000000000000, 9000000000000000000, 8100000000000000000, 9000000000000000000, STABLE",
        "9000000000000000000, 9000000000000000000, 8099999999999999999, 9000000000000000000, DECLINING"
    })
    void a_change_of_more_than_a_tenth_is_a_trend(
            long previousSuccesses,
            long previousSamples,
            long currentSuccesses,
            long currentSamples,
            CalibrationTrend trend) {
        assertThat(CalibrationTrend.between(previousSuccesses, previousSamples, currentSuccesses, currentSamples))
                .isEqualTo(trend);
    }

    @ParameterizedTest
    @EnumSource
    void its_wire_name_is_written_in_small_letters(CalibrationTrend trend) {
        assertThat(trend.wireName()).isEqualTo(trend.name().toLowerCase(Locale.ROOT));
    }
}
