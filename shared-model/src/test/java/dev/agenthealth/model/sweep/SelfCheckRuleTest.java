package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class SelfCheckRuleTest {

    @ParameterizedTest(name = "{0} heartbeats per second, the latest {1} ms ago: self-check {2}")
    @CsvSource({
        // exactly ten missing is enough
        "1,    9999, false",
        "1,   10000, true",
        "2,    4999, false",
        "2,    5000, true",
        "0.25, 39999, false",
        "0.25, 40000, true",
        "1000, 9,     false",
        "1000, 10,    true",
        "0, 1000000000, false",
        // heartbeats of a host whose clock is ahead
        "1000, 0,     false",
        "1000, -5000, false"
    })
    void ten_missing_heartbeats_require_a_self_check(double heartbeatsPerSecond, long agoMillis, boolean required) {
        FleetCount fleet = Fleets.sending(heartbeatsPerSecond, T0.minusMillis(agoMillis), 0);
        assertThat(SelfCheckRule.isNeeded(fleet, false, T0)).isEqualTo(required);
    }

    @Test
    void no_agent_is_marked_dead_before_a_self_check() {
        assertThat(SelfCheckRule.isNeeded(Fleets.sending(0, T0, 1), false, T0)).isTrue();
        assertThat(SelfCheckRule.isNeeded(Fleets.sending(0, T0, 0), false, T0)).isFalse();
    }

    @Test
    void a_blackout_requires_self_checks_until_it_ends_even_without_agents() {
        assertThat(SelfCheckRule.isNeeded(FleetCount.EMPTY, true, T0)).isTrue();
        assertThat(SelfCheckRule.isNeeded(FleetCount.EMPTY, false, T0)).isFalse();
    }

    @Test
    void a_fleet_without_a_heartbeat_expects_none() {
        assertThat(Fleets.sending(1_000, Instant.MIN, 0).heartbeatsExpectedSinceFreshest(T0))
                .isZero();
    }

    @ParameterizedTest(name = "sent at 0 and read at 1,000 ms, by another clock {0}: {1}")
    @CsvSource({"-2001, false", "-2000, true", "0, true", "1000, true", "3000, true", "3001, false"})
    void a_heartbeat_at_another_time_than_that_of_its_sender_shows_a_wrong_clock(long heartbeatMillis, boolean timely) {
        assertThat(SelfCheckRule.isTimely(T0.plusMillis(heartbeatMillis), T0, T0.plusMillis(1_000)))
                .isEqualTo(timely);
    }
}
