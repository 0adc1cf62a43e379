package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.sweep.PostponedDeaths;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a pass counts as done, and as overtaken by a change after the row was read. */
@Tag("SYS-02")
class RowReconcilerTest {

    private static final Duration DAY = Duration.ofDays(1);

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final ActionCounts.Tally tally = new ActionCounts.Tally();

    private RowReconciler reconciler(DeathQuota deaths) {
        return new RowReconciler(
                system.database(),
                new LeaseCleanUp(new LeaseStore(system.database())),
                new DueRows(
                        Instant.EPOCH,
                        ProbeTimeoutRules.ofAll(new ProbeTimeoutRule(Instant.EPOCH, false)),
                        system.clock().instant(),
                        ClockRule.MAX_PASS,
                        new Inspection.After(
                                Inspection.NO_MARKS, Inspection.NO_DAYS, Inspection.NO_PROBES, Duration.ofMinutes(1)),
                        BlockStore.InForce.NOTHING,
                        Map.of()),
                new SweepDecision(true, deaths, PostponedDeaths.NONE, false),
                tally);
    }

    private static FleetRow row(Pulse pulse) {
        return new FleetRow(pulse, HealthSummary.NONE, Watch.NOT_WATCHED);
    }

    private long counted(Action action) {
        return tally.sum().get(action);
    }

    @Test
    void a_death_that_was_overtaken_is_given_back_to_the_quota() {
        List<TestAgent> agents = List.of("a", "b", "c").stream()
                .map(id -> TestAgent.registered(system, id))
                .toList();
        agents.forEach(TestAgent::sendHeartbeat);
        system.clock().advanceSeconds(91);
        agents.forEach(agent -> assertThat(agent.sweep()).isTrue());
        system.clock().advanceSeconds(220);
        Pulse outdated = agents.get(0).pulse();
        agents.get(0).sendHeartbeat();
        RowReconciler reconciler = reconciler(DeathQuota.of(Map.of(GroupNumber.NONE, 1L)));

        reconciler.reconcile(row(outdated));
        assertThat(counted(Action.OVERTAKEN)).isEqualTo(1);
        reconciler.reconcile(row(agents.get(1).pulse()));
        reconciler.reconcile(row(agents.get(2).pulse()));

        assertThat(agents.stream().map(agent -> agent.pulse().status()))
                .containsExactly(LifecycleStatus.ACTIVE, LifecycleStatus.DEAD, LifecycleStatus.UNHEALTHY);
        assertThat(counted(Action.DEAD)).isEqualTo(1);
        assertThat(counted(Action.POSTPONED)).isEqualTo(1);
        assertThat(counted(Action.OVERTAKEN)).isEqualTo(1);
        assertThat(counted(Action.MARKED)).as("of the dead one alone").isEqualTo(1);
    }

    @Test
    void a_stall_and_its_end_are_counted_and_one_that_was_overtaken_is_not() {
        TestAgent agent = TestAgent.registered(system, "a");
        agent.change("{\"heartbeat_config\":{\"stall_after_seconds\":60}}");
        agent.sendHeartbeat("active", ",\"activity\":{\"phase\":\"tool\",\"no_progress_seconds\":70}");
        Pulse seen = agent.pulse();
        RowReconciler reconciler = reconciler(DeathQuota.UNLIMITED);

        reconciler.reconcile(row(seen));
        assertThat(counted(Action.STALLED)).isEqualTo(1);
        reconciler.reconcile(row(seen));
        assertThat(counted(Action.STALLED)).isEqualTo(1);
        assertThat(counted(Action.OVERTAKEN)).isEqualTo(1);

        agent.sendHeartbeat();
        reconciler.reconcile(row(agent.pulse()));
        assertThat(counted(Action.STALL_OVER)).isEqualTo(1);
        assertThat(counted(Action.STALLED)).isEqualTo(1);
    }

    @Test
    void an_agent_that_registers_again_after_its_row_was_read_is_not_archived() {
        TestAgent agent = TestAgent.registered(system, "a");
        agent.deregister();
        agent.finishCleanUp();
        system.clock().advanceSeconds(3_601);
        Pulse gone = agent.pulse();
        agent.register("");

        reconciler(DeathQuota.UNLIMITED).reconcile(row(gone));

        assertThat(counted(Action.OVERTAKEN)).isEqualTo(1);
        assertThat(counted(Action.ARCHIVED)).isZero();
        assertThat(agent.pulse().status()).isEqualTo(LifecycleStatus.ACTIVE);
    }

    @Test
    void a_day_is_stored_once_and_only_where_the_status_changed_on_it() {
        TestAgent agent = TestAgent.registered(system, "a");
        long day = system.clock().instant().toEpochMilli() / DAY.toMillis();
        agent.becomeUnhealthy();
        system.clock().advance(DAY.multipliedBy(3));
        RowReconciler reconciler = reconciler(DeathQuota.UNLIMITED);

        reconciler.storeDays(row(agent.pulse()), List.of(day, day + 1));
        assertThat(counted(Action.DAYS_STORED)).isEqualTo(1);
    }
}
