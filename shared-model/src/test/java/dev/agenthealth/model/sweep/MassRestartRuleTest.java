package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.sweep.FleetCounter.ACTIVE;
import static dev.agenthealth.model.sweep.FleetCounter.RESTARTED;
import static dev.agenthealth.model.sweep.FleetCounter.UNHEALTHY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class MassRestartRuleTest {

    private static final Instant NOW = Instant.parse("2026-02-08T06:00:00Z");

    @ParameterizedTest(name = "{1} of {0} restarted: {2}")
    @CsvSource({
        "0, 0, false",
        // too few for the registry to refuse them
        "100, 100, false",
        "499, 499, false",
        "500, 499, false",
        "500, 500, true",
        "10000, 499, false",
        "10000, 500, true",
        "10001, 500, false",
        "1000000, 49999, false",
        "1000000, 50000, true"
    })
    void a_mass_restarts_from_500_agents_and_5_percent_on(long monitored, long restarted, boolean mass) {
        FleetCount fleet =
                Fleets.of(Map.of(ACTIVE, monitored / 2, UNHEALTHY, monitored - monitored / 2, RESTARTED, restarted));
        assertThat(MassRestartRule.isMassRestart(fleet)).isEqualTo(mass);
        assertThat(MassRestartRule.postponedFrom(fleet, NOW)).isEqualTo(mass ? NOW.minusSeconds(3_600) : Instant.MAX);
    }

    @ParameterizedTest(name = "registered {0} s ago: {1}")
    @CsvSource({"0, true", "119, true", "120, false", "121, false"})
    void a_restart_counts_for_two_minutes(long secondsAgo, boolean counts) {
        assertThat(MassRestartRule.isRestart(restarted(NOW.minusSeconds(secondsAgo)), NOW))
                .isEqualTo(counts);
    }

    @Test
    void a_first_registration_is_no_restart_and_neither_is_another_change_of_status() {
        assertThat(MassRestartRule.isRestart(first(NOW), NOW)).isFalse();
        Pulse silent = restarted(NOW.minusSeconds(100)).withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, NOW);
        assertThat(MassRestartRule.isRestart(silent, NOW)).isFalse();
    }

    @Test
    void the_count_of_a_fleet_has_its_restarts() {
        FleetCount.Tally tally = new FleetCount.Tally(Instant.EPOCH, NOW);
        tally.add(first(NOW));
        tally.add(restarted(NOW));
        tally.add(restarted(NOW.minusSeconds(300)));
        tally.add(restarted(NOW).withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, NOW));
        assertThat(tally.count().get(RESTARTED)).isEqualTo(1);
    }

    private static Pulse first(Instant at) {
        return Pulse.first("agent", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Owner.NONE, at);
    }

    private static Pulse restarted(Instant at) {
        return first(at.minusSeconds(3_600))
                .replaced(at)
                .reRegistered(HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Owner.NONE, at);
    }
}
