package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How restarts are counted. */
@Tag("AHS-16")
class RestartsTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "2, false", "3, true", "4, true", "10, true", "25, true"})
    void from_three_restarts_within_an_hour_on_an_agent_is_degraded(int number, boolean degraded) {
        Restarts restarts = every(Duration.ofMinutes(2), number);
        assertThat(restarts.countAt(NOW)).isEqualTo(Math.min(number, Restarts.MAX_KEPT));
        assertThat(NOW.isBefore(restarts.degradeUntil())).isEqualTo(degraded);
    }

    @Test
    void a_restart_counts_for_less_than_an_hour() {
        Restarts restarts = Restarts.NONE.and(NOW);
        assertThat(restarts.countAt(NOW.plus(Duration.ofHours(1)).minusMillis(1)))
                .isEqualTo(1);
        assertThat(restarts.countAt(NOW.plus(Duration.ofHours(1)))).isZero();
    }

    @Test
    void the_third_last_restart_decides_until_when_restarts_degrade() {
        Restarts two = Restarts.NONE.and(NOW).and(NOW.plusSeconds(60));
        assertThat(two.degradeUntil()).isEqualTo(Instant.EPOCH);
        // The clock of the process that registered the agent last is a little behind.
        Restarts four = two.and(NOW.plusSeconds(180)).and(NOW.plusSeconds(179));
        Instant until = NOW.plusSeconds(60).plus(Restarts.PERIOD);
        assertThat(four.degradeUntil()).isEqualTo(until);
    }

    @Test
    void restarts_that_do_not_count_any_more_are_not_kept() {
        assertThat(every(Duration.ofMinutes(25), 9).moments())
                .containsExactly(NOW.minus(Duration.ofMinutes(50)), NOW.minus(Duration.ofMinutes(25)), NOW);
    }

    @Test
    void the_last_ten_are_kept() {
        assertThat(every(Duration.ofSeconds(1), 1_000).moments())
                .hasSize(Restarts.MAX_KEPT)
                .last()
                .isEqualTo(NOW);
    }

    @Test
    void a_restart_that_is_yet_to_come_by_this_clock_counts() {
        assertThat(Restarts.NONE.and(NOW.plusSeconds(2)).countAt(NOW)).isEqualTo(1);
    }

    /** Restarts at this distance, the last one now. */
    private static Restarts every(Duration distance, int number) {
        Restarts restarts = Restarts.NONE;
        for (int i = number - 1; i >= 0; i--) {
            restarts = restarts.and(NOW.minus(distance.multipliedBy(i)));
        }
        return restarts;
    }
}
