package dev.agenthealth.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stored instants are compared with a clock that may have run ahead when they were written. */
@Tag("R16-15")
class ClockRuleTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @ParameterizedTest(name = "{0} ms ahead, at most {1} s")
    @CsvSource({
        "-1, 0, false",
        "0, 0, false",
        "2000, 0, false",
        "2001, 0, true",
        "7200000, 0, true",
        "62000, 60, false",
        "62001, 60, true",
        "7200000, 7200, false"
    })
    void an_instant_beyond_its_maximum_by_design_counts_as_now(long millis, int maxSeconds, boolean ahead) {
        Instant stored = NOW.plusMillis(millis);
        Duration max = Duration.ofSeconds(maxSeconds);
        assertThat(ClockRule.isTooFarAhead(stored, max, NOW)).isEqualTo(ahead);
        assertThat(ClockRule.bounded(stored, max, NOW)).isEqualTo(ahead ? NOW : stored);
    }

    @ParameterizedTest(name = "{0} ms ago, period of 60 s")
    @CsvSource({"60000, true", "59999, false", "0, false", "-2000, false", "-2001, true", "-7200000, true"})
    void a_period_that_begins_in_the_future_has_passed(long millisAgo, boolean passed) {
        assertThat(ClockRule.hasPassed(NOW.minusMillis(millisAgo), Duration.ofMinutes(1), NOW))
                .isEqualTo(passed);
    }

    @ParameterizedTest(name = "until {0} ms ahead, 60 s at most")
    @CsvSource({"-1, false", "0, false", "1, true", "60000, true", "62000, true", "62001, false", "7200000, false"})
    void what_ends_later_than_it_can_holds_no_more(long millis, boolean holds) {
        assertThat(ClockRule.holds(NOW.plusMillis(millis), Duration.ofMinutes(1), NOW))
                .isEqualTo(holds);
    }

    @ParameterizedTest(name = "a difference of {0} ms")
    @CsvSource({"0, false", "2000, false", "2001, true", "-2000, false", "-2001, true"})
    void more_than_two_seconds_are_a_step(long millis, boolean step) {
        assertThat(ClockRule.isStep(Duration.ofMillis(millis))).isEqualTo(step);
    }

    @Test
    void instants_for_never_are_bounded_as_others_are() {
        assertThat(ClockRule.holds(Instant.MIN, Duration.ofDays(1), NOW)).isFalse();
        assertThat(ClockRule.hasPassed(Instant.MIN, Duration.ofDays(1), NOW)).isTrue();
        assertThat(ClockRule.hasPassed(Instant.MAX, Duration.ofDays(1), NOW)).isTrue();
        assertThat(ClockRule.bounded(Instant.MIN, Duration.ZERO, NOW)).isEqualTo(Instant.MIN);
    }
}
