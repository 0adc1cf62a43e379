package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class AmnestyRuleTest {

    @ParameterizedTest(name = "a tick of {0} ms, last pass {1} ms ago: gap {2}")
    @CsvSource({
        // two ticks
        "60000, 60000,  false",
        "60000, 120000, false",
        "60000, 120001, true",
        "5001,  10002,  false",
        "5001,  10003,  true",
        // at least ten seconds
        "5000,  10000,  false",
        "5000,  10001,  true",
        "1000,  2001,   false",
        "1000,  10000,  false",
        "1000,  10001,  true",
        // a clock that is behind
        "60000, 0,      false",
        "60000, -1,     false",
        "60000, -999999, false"
    })
    void a_gap_is_longer_than_two_ticks_and_longer_than_ten_seconds(long tick, long ago, boolean gap) {
        assertThat(AmnestyRule.isGap(T0.minusMillis(ago), Duration.ofMillis(tick), T0))
                .isEqualTo(gap);
    }
}
