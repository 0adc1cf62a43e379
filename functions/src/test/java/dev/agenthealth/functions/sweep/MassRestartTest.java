package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.registry.PartitionLoad;
import dev.agenthealth.functions.registry.RegistrationLoads;
import dev.agenthealth.functions.registry.RegistrationSimulation;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.system.DeathQuotaStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.HeartbeatTimeoutRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.RegistrationRule;
import dev.agenthealth.model.registry.lifecycle.Transition;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.MassSilenceRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.testkit.ProjectFiles;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All agents of a fleet restart at once, but for one in a hundred, which is dead: registrations as {@link RegistrationSimulation} has them, and the
 * decisions of the sweep over rows in memory.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class MassRestartTest {

    private static final HeartbeatConfig CONFIG = HeartbeatConfig.DEFAULT;
    private static final int DEAD_ONE_IN = 100;
    private static final int MIN_PASSES = 6;
    private static final int MAX_PASSES = 40;

    @AutoClose
    private final SweepHarness harness = new SweepHarness();

    private List<PartitionLoad> loads = List.of();

    @BeforeAll
    void measure() {
        loads = new RegistrationLoads(harness.system()).restarts("measured");
    }

    @ParameterizedTest(name = "{0} agents, {1}, {2} a second")
    @CsvSource({
        "10000, small, 400, 4000",
        "100000, small, 400, 4000",
    })
    @Tag("slow")
    void no_agent_that_restarts_is_marked_as_dead(int agents, String size, int perSecond, int tableUnits) {
        assertDocumented(agents, size, perSecond, tableUnits);
    }

    @ParameterizedTest(name = "{0} s after a pass")
    @ValueSource(ints = {20, 40})
    @Tag("exhaustive")
    void it_does_not_matter_when_passes_begin(int secondsAfterPass) {
        long[] registeredAt = new RegistrationSimulation(loads, 400, 4_000).run(100_000);
        Restart restart = run(registeredAt, true, secondsAfterPass);
        assertThat(restart.falseDeaths).isZero();
        assertThat(restart.undetected()).isZero();
    }

    @ParameterizedTest(name = "{0} agents, {1}, {2} a second")
    @CsvSource({"100000, large, 1000, 40000", "1000000, large, 1000, 40000"})
    @Tag("exhaustive")
    @Tag("long")
    void no_agent_of_a_million_that_restart_is_marked_as_dead(int agents, String size, int perSecond, int tableUnits) {
        assertDocumented(agents, size, perSecond, tableUnits);
    }

    private void assertDocumented(int agents, String size, int perSecond, int tableUnits) {
        long[] registeredAt = new RegistrationSimulation(loads, perSecond, tableUnits).run(agents);
        Restart restart = run(registeredAt, true);
        Restart without = run(registeredAt, false);
        assertThat(restart.falseDeaths).isZero();
        assertThat(restart.undetected()).isZero();
        assertThat(ProjectFiles.text("docs/operations/limits.md").lines())
                .filteredOn(line -> line.startsWith("| 1"))
                .contains(String.format(
                        Locale.ROOT,
                        "| %,d | `%s` | %,d s | %,d | 0 | %,d s |",
                        agents,
                        size,
                        Arrays.stream(registeredAt).max().orElseThrow() / 1_000,
                        without.falseDeaths,
                        restart.lastDetectedAfter.toSeconds()));
    }

    private Restart run(long[] registeredAt, boolean postpones) {
        return run(registeredAt, postpones, 0);
    }

    private Restart run(long[] registeredAt, boolean postpones, int secondsAfterPass) {
        harness.startAfresh();
        Restart restart = new Restart(registeredAt, postpones, harness.now().plusSeconds(secondsAfterPass));
        restart.run();
        return restart;
    }

    /** Not static: the decisions are those of the real guard, whose state is in the database. */
    private final class Restart {

        private final long[] registeredAt;
        private final boolean postpones;
        private final Instant start;
        private final Pulse[] pulses;
        private final boolean[] returned;
        private final SweepStateStore states =
                new SweepStateStore(harness.system().database());
        private final MassFailureGuard guard = new MassFailureGuard(
                new SelfCheck(
                        new CanaryStore(harness.system().database()),
                        List.of(harness.publicApi()),
                        Runnable::run,
                        harness.system().clock()),
                states,
                new DeathQuotaStore(harness.system().database()),
                harness.system().wiring(Map.of()).log(),
                harness.system().clock());
        private long falseDeaths;
        private Duration lastDetectedAfter = Duration.ZERO;

        /** @param postpones whether deaths are postponed */
        private Restart(long[] registeredAt, boolean postpones, Instant start) {
            this.registeredAt = registeredAt;
            this.postpones = postpones;
            this.start = start;
            this.pulses = new Pulse[registeredAt.length];
            this.returned = new boolean[registeredAt.length];
            Arrays.setAll(pulses, this::beforeRestart);
        }

        /** The last heartbeats were sent over the interval before the restart. */
        private Pulse beforeRestart(int agent) {
            Instant seen = start.minusMillis(agent % CONFIG.intervalSeconds() * 1_000L);
            return RegistrationRule.first(
                            "agent-" + agent, CONFIG, 1, Coordination.NONE, Owner.NONE, start.minusSeconds(3_600))
                    .withHeartbeat(Heartbeat.BARE, seen);
        }

        private boolean isDead(int agent) {
            return agent % DEAD_ONE_IN == 0;
        }

        private void run() {
            for (int pass = 0; pass < MAX_PASSES && (pass < MIN_PASSES || undetected() > 0); pass++) {
                harness.system().clock().advanceSeconds(60);
                pass(harness.now());
            }
        }

        private void pass(Instant now) {
            SweepState state = states.begin(now, Duration.ofMinutes(2), SweepStateStore.Learnt.NOTHING);
            FleetCount.Tally count = new FleetCount.Tally(state.graceFrom(), now);
            OwnerCounts.Tally owners = new OwnerCounts.Tally();
            for (int agent = 0; agent < pulses.length; agent++) {
                pulses[agent] = at(agent, now);
                count.add(pulses[agent]);
                owners.add(pulses[agent], 0, state.graceFrom(), now);
                owners.addRestart(pulses[agent], now);
            }
            SweepDecision decision =
                    guard.decide(count.count(), owners.counts(), state, MassSilenceRule.DEFAULT, Optional.empty(), now);
            DeathQuota.Remaining deaths = new DeathQuota.Remaining(decision.deaths());
            for (int agent = 0; decision.mayChangeStatus() && agent < pulses.length; agent++) {
                Optional<Transition> next = HeartbeatTimeoutRule.due(pulses[agent], state.graceFrom(), now);
                while (next.isPresent() && isPermitted(next.get(), decision, deaths)) {
                    note(agent, next.get(), now);
                    pulses[agent] = next.get().after();
                    next = HeartbeatTimeoutRule.due(pulses[agent], state.graceFrom(), now);
                }
            }
        }

        private Pulse at(int agent, Instant now) {
            long registeredFor = now.toEpochMilli() - start.toEpochMilli() - registeredAt[agent];
            if (isDead(agent) || registeredFor < 0) {
                return pulses[agent];
            }
            Instant registered = start.plusMillis(registeredAt[agent]);
            Pulse pulse = pulses[agent];
            if (!returned[agent]) {
                returned[agent] = true;
                Pulse before = pulse.status().hasEnded() ? pulse : RegistrationRule.replaced(pulse, registered);
                pulse = RegistrationRule.again(before, CONFIG, 1, Coordination.NONE, Owner.NONE, registered);
            }
            long heartbeats = registeredFor / 1_000 / CONFIG.intervalSeconds();
            return heartbeats == 0
                    ? pulse
                    : pulse.withHeartbeat(
                            Heartbeat.BARE, registered.plusSeconds(heartbeats * CONFIG.intervalSeconds()));
        }

        /** As {@code RowReconciler} decides. */
        private boolean isPermitted(Transition next, SweepDecision decision, DeathQuota.Remaining deaths) {
            long owner = OwnerCounts.numberOf(next.before().owner());
            return next.after().status() != LifecycleStatus.DEAD
                    || !(postpones && decision.postponed().covers(owner, next.dueAt())) && deaths.take(owner);
        }

        private void note(int agent, Transition next, Instant now) {
            if (next.after().status() != LifecycleStatus.DEAD) {
                return;
            }
            if (isDead(agent)) {
                Duration after = Duration.between(next.before().lastHeartbeatAt(), now);
                lastDetectedAfter = after.compareTo(lastDetectedAfter) > 0 ? after : lastDetectedAfter;
            } else {
                falseDeaths++;
            }
        }

        private long undetected() {
            return Arrays.stream(pulses)
                    .filter(pulse -> pulse.incarnation() == 1 && pulse.status() != LifecycleStatus.DEAD)
                    .count();
        }
    }
}
