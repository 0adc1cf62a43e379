package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class GracePeriodRuleTest {

    @ParameterizedTest(name = "{0} passes in {1} s: {2} ms before the first one, {3} ms between the others")
    @CsvSource({
        // two ticks, which with one pass are a tick and a period
        "1,  60, 120000, 120000",
        "2,  60, 90000,  60000",
        "5,  60, 72000,  24000",
        // at least ten seconds
        "12, 60, 65000,  10000",
        "6,  30, 35000,  10000",
        "1,  5,  10000,  10000",
        "1,  1,  10000,  10000",
        "4,  5,  10000,  10000"
    })
    void a_gap_is_longer_than_two_ticks_and_ten_seconds_and_before_the_first_pass_than_a_late_start(
            int passes, int period, long beforeTheFirst, long betweenTheOthers) {
        Duration tick = Duration.ofSeconds(period).dividedBy(passes);
        assertThat(GracePeriodRule.maxPauseBefore(tick, Duration.ofSeconds(period)))
                .hasMillis(beforeTheFirst);
        assertThat(GracePeriodRule.maxPause(tick)).hasMillis(betweenTheOthers);
    }
}
