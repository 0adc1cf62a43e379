package dev.agenthealth.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** After a step of the machine's clock, nothing expires for a while. */
class SteadyClockTest {

    private static final long YEAR_MILLIS = Duration.ofDays(365).toMillis();

    private final SteadyClock clock = new SteadyClock(Clock.systemUTC(), () -> 0);
    private long millis = 1_000_000;
    private long nanos;

    private boolean after(Duration time) {
        millis += time.toMillis();
        nanos += time.toNanos();
        return clock.isBelieved(millis, nanos);
    }

    @Test
    void a_clock_that_goes_on_is_believed() {
        assertThat(after(Duration.ZERO)).isTrue();
        assertThat(after(Duration.ofDays(30))).isTrue();
        millis += 2_000;
        assertThat(after(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void a_clock_that_stepped_is_believed_ten_minutes_later() {
        assertThat(after(Duration.ZERO)).isTrue();
        millis += YEAR_MILLIS;
        assertThat(after(Duration.ofSeconds(10))).isFalse();
        assertThat(after(Duration.ofSeconds(599))).isFalse();
        assertThat(after(Duration.ofSeconds(1))).isTrue();
    }

    @Test
    void a_clock_that_was_ahead_for_some_seconds_is_never_believed_while_it_is_ahead() {
        assertThat(after(Duration.ZERO)).isTrue();
        millis += YEAR_MILLIS;
        assertThat(after(Duration.ofSeconds(3))).isFalse();
        millis -= YEAR_MILLIS;
        assertThat(after(Duration.ofSeconds(10))).isFalse();
        assertThat(after(SteadyClock.HOLD)).isTrue();
    }

    @Test
    void a_clock_that_a_test_moves_is_believed() {
        Clock moved = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        assertThat(new SteadyClock(moved, () -> 0).isBelieved()).isTrue();
    }
}
