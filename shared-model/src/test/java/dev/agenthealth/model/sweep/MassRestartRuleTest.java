package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.sweep.FleetCounter.ACTIVE;
import static dev.agenthealth.model.sweep.FleetCounter.RESTARTED;
import static dev.agenthealth.model.sweep.FleetCounter.UNHEALTHY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
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
        assertThat(MassRestartRule.postponed(fleet, OwnerCounts.EMPTY, NOW))
                .isEqualTo(mass ? PostponedDeaths.ofAll(NOW.minusSeconds(3_600)) : PostponedDeaths.NONE);
    }

    @ParameterizedTest(name = "{0} and {1} of {2} restarted: {3}")
    @CsvSource({"500, 499, 1000, 1", "900, 0, 1000, 1", "600, 500, 2000, 0", "900, 500, 10001, 1", "900, 500, 10000, 0"
    })
    void restarts_of_one_owner_postpone_only_its_own_deaths(long first, long second, long monitored, long owner) {
        FleetCount fleet = Fleets.of(Map.of(ACTIVE, monitored, RESTARTED, first + second));
        Map<Long, Long> restarted = second == 0 ? Map.of(1L, first) : Map.of(1L, first, 2L, second);
        OwnerCounts owners = new OwnerCounts(Map.of(), Map.of(1L, 3L, 2L, 4L), Map.of(), restarted, Map.of());
        PostponedDeaths postponed = MassRestartRule.postponed(fleet, owners, NOW);
        assertThat(postponed.owner()).isEqualTo(owner);
        assertThat(postponed.covers(1, NOW)).isTrue();
        assertThat(postponed.covers(2, NOW)).isEqualTo(owner == GroupNumber.NONE);
        assertThat(postponed.covers(1, NOW.minusSeconds(3_600))).isFalse();
        assertThat(postponed.waiting(owners)).isEqualTo(owner == GroupNumber.NONE ? 7 : 3);
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
        return RegistrationRule.first("agent", HeartbeatConfig.DEFAULT, 1, Coordination.NONE, Owner.NONE, at);
    }

    private static Pulse restarted(Instant at) {
        return RegistrationRule.again(
                RegistrationRule.replaced(first(at.minusSeconds(3_600)), at),
                HeartbeatConfig.DEFAULT,
                1,
                Coordination.NONE,
                Owner.NONE,
                at);
    }
}
