package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Life.Cause;
import dev.agenthealth.model.registry.lifecycle.Life.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCollector;
import net.jqwik.api.statistics.StatisticsReport;

/** Invariants of a pulse under any sequence of operations. */
class LifePropertyTest {

    private static final HeartbeatConfig FAST = new HeartbeatConfig(1, 2, 4);
    private static final HeartbeatConfig SLOW = new HeartbeatConfig(60, 180, 600);

    /** One thing that happens. */
    sealed interface Happening {
        record HeartbeatReceived(boolean draining, int load, int tasks, Duration clockError) implements Happening {}

        record Wait(Duration time) implements Happening {}

        record Sweep() implements Happening {}

        record DrainRequest(Duration timeout, boolean byAgent) implements Happening {}

        record Removal() implements Happening {}

        record Registration(HeartbeatConfig config) implements Happening {}

        record ProfileChange(HeartbeatConfig config, int maxConcurrentTasks) implements Happening {}

        record GracePeriodStart() implements Happening {}

        record Grant() implements Happening {}

        record Release() implements Happening {}

        record LeaseTimeout() implements Happening {}
    }

    @Provide
    Arbitrary<List<Happening>> happenings() {
        Arbitrary<HeartbeatConfig> configs = Arbitraries.of(FAST, HeartbeatConfig.DEFAULT, SLOW);
        Arbitrary<Duration> clockErrors =
                Arbitraries.longs().between(-100_000_000, 100_000_000).map(Duration::ofMillis);
        // Mostly around the thresholds of the configurations in use, now and then a clock that is behind.
        Arbitrary<Duration> times = Arbitraries.frequencyOf(
                        Tuple.of(4, Arbitraries.longs().between(0, 5_000)),
                        Tuple.of(4, Arbitraries.longs().between(85_000, 310_000)),
                        Tuple.of(
                                2,
                                Arbitraries.of(2_000L, 2_001L, 4_000L, 4_001L, 90_000L, 90_001L, 300_000L, 300_001L)),
                        Tuple.of(1, Arbitraries.longs().between(-3_000, 0)),
                        Tuple.of(1, Arbitraries.longs().between(310_000, 100_000_000)))
                .map(Duration::ofMillis);
        Arbitrary<Happening> heartbeats = Combinators.combine(
                        Arbitraries.frequency(Tuple.of(15, false), Tuple.of(1, true)),
                        Arbitraries.integers().between(Workload.NOT_REPORTED, 3),
                        Arbitraries.frequency(Tuple.of(8, -1), Tuple.of(3, 0), Tuple.of(1, 1)),
                        clockErrors)
                .as(Happening.HeartbeatReceived::new);
        Arbitrary<Happening> drains = Combinators.combine(
                        Arbitraries.integers().between(1, 200), Arbitraries.of(true, false))
                .as((seconds, byAgent) -> new Happening.DrainRequest(Duration.ofSeconds(seconds), byAgent));
        Arbitrary<Happening> changes = Combinators.combine(
                        configs, Arbitraries.integers().between(0, 5))
                .as(Happening.ProfileChange::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(12, heartbeats),
                        Tuple.of(12, times.map(Happening.Wait::new)),
                        Tuple.of(8, Arbitraries.just(new Happening.Sweep())),
                        Tuple.of(1, drains),
                        Tuple.of(1, Arbitraries.just(new Happening.Removal())),
                        Tuple.of(2, Arbitraries.just(new Happening.Grant())),
                        Tuple.of(3, Arbitraries.just(new Happening.Release())),
                        Tuple.of(1, Arbitraries.just(new Happening.LeaseTimeout())),
                        Tuple.of(4, configs.map(Happening.Registration::new)),
                        Tuple.of(1, changes),
                        Tuple.of(1, Arbitraries.just(new Happening.GracePeriodStart())))
                .list()
                .ofMinSize(40)
                .ofMaxSize(120);
    }

    /** So many tries, in every run, that each transition is among them. */
    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    @Tag("R16-02")
    @Tag("R16-06")
    @Tag("R16-11")
    @Tag("R16-12")
    @Tag("R16-15")
    @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
    void whatever_happens_the_pulse_stays_in_order(@ForAll("happenings") List<Happening> happenings) {
        Life life = new Life(HeartbeatConfig.DEFAULT);
        for (Happening happening : happenings) {
            Pulse before = life.pulse();
            int stepsBefore = life.steps().size();
            boolean accepted = happens(life, happening);
            if (!accepted) {
                assertThat(life.pulse()).isEqualTo(before);
                assertThat(life.steps()).hasSize(stepsBefore);
            }
            if (happening instanceof Happening.Sweep) {
                nothingIsLeftToSweep(life);
            }
        }
        life.steps().forEach(LifePropertyTest::keepsTheRules);
        life.steps().forEach(step -> collected()
                .collect(step.before().status(), step.cause(), step.after().status()));
        everyTransitionWasTried();
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    @Tag("R16-16")
    void the_same_life_with_a_right_clock_is_the_same(@ForAll("happenings") List<Happening> happenings) {
        Life wrong = new Life(HeartbeatConfig.DEFAULT);
        Life right = new Life(HeartbeatConfig.DEFAULT);
        for (Happening happening : happenings) {
            happens(wrong, happening);
            happens(
                    right,
                    happening instanceof Happening.HeartbeatReceived heartbeat
                            ? new Happening.HeartbeatReceived(
                                    heartbeat.draining(), heartbeat.load(), heartbeat.tasks(), Duration.ZERO)
                            : happening);
        }
        assertThat(wrong.steps()).isEqualTo(right.steps());
    }

    @Property(edgeCases = EdgeCasesMode.NONE)
    @Tag("R16-15")
    void sweeping_twice_changes_nothing_the_second_time(@ForAll("happenings") List<Happening> happenings) {
        Life life = new Life(HeartbeatConfig.DEFAULT);
        for (Happening happening : happenings) {
            happens(life, happening);
            life.isSwept();
            int steps = life.steps().size();
            life.isSwept();
            assertThat(life.steps()).hasSize(steps);
        }
    }

    private static StatisticsCollector collected() {
        return Statistics.label("steps");
    }

    /** A property that never saw a death would prove nothing about deaths. */
    private static void everyTransitionWasTried() {
        for (LifecycleStatus from : LifecycleStatus.MONITORED) {
            for (LifecycleStatus to : LifecycleStatus.values()) {
                if (LifecycleTransitions.allows(from, to)) {
                    collected()
                            .coverage(c -> c.check(from, Cause.TRANSITION, to).count(n -> n > 0));
                }
            }
        }
        for (LifecycleStatus from : LifecycleStatus.GONE) {
            collected().coverage(c -> c.check(from, Cause.REGISTRATION, LifecycleStatus.ACTIVE)
                    .count(n -> n > 0));
        }
    }

    private static boolean happens(Life life, Happening happening) {
        if (happening instanceof Happening.HeartbeatReceived heartbeat) {
            return life.receivesHeartbeat(
                    heartbeat.draining(), heartbeat.load(), heartbeat.tasks(), heartbeat.clockError());
        } else if (happening instanceof Happening.Wait wait) {
            life.passes(wait.time());
        } else if (happening instanceof Happening.Sweep) {
            life.isSwept();
        } else if (happening instanceof Happening.DrainRequest request) {
            return life.isDrained(request.timeout(), request.byAgent());
        } else if (happening instanceof Happening.Removal) {
            return life.isRemoved();
        } else if (happening instanceof Happening.Registration registration) {
            return life.registers(registration.config(), new Owner("key_2", KeyHash.ofKey("key of " + life.now())));
        } else if (happening instanceof Happening.ProfileChange change) {
            return life.isReconfigured(change.config(), change.maxConcurrentTasks());
        } else if (happening instanceof Happening.GracePeriodStart) {
            life.isForgiven();
        } else if (happening instanceof Happening.Grant) {
            return life.leases();
        } else if (happening instanceof Happening.Release) {
            return life.releases();
        } else if (happening instanceof Happening.LeaseTimeout) {
            return life.losesLease();
        }
        return true;
    }

    private static void keepsTheRules(Step step) {
        Pulse before = step.before();
        Pulse after = step.after();
        assertThat(after.agentId()).isEqualTo(before.agentId());
        assertThat(after.version()).isPositive();
        switch (step.cause()) {
            case REGISTRATION -> {
                assertThat(before.status().hasEnded()).isTrue();
                assertThat(after.status()).isEqualTo(LifecycleStatus.ACTIVE);
                assertThat(after.incarnation()).isEqualTo(before.incarnation() + 1);
                assertThat(after.sequence()).isEqualTo(before.sequence() + 1);
                assertThat(after.version()).isEqualTo(1);
                assertThat(after.heartbeatCount()).isZero();
                assertThat(after.cleanUp().through()).isEqualTo(before.cleanUp().through());
            }
            case HEARTBEAT -> {
                assertThat(after.status()).isEqualTo(before.status());
                assertThat(after.version()).isEqualTo(before.version());
                assertThat(after.sequence()).isEqualTo(before.sequence());
                assertThat(after.heartbeatCount()).isEqualTo(before.heartbeatCount() + 1);
                assertThat(after.lastHeartbeatAt()).isEqualTo(heard(before, step.at()));
            }
            case PROFILE_CHANGE -> {
                assertThat(after.status()).isEqualTo(before.status());
                assertThat(after.version()).isEqualTo(before.version() + 1);
                assertThat(after.sequence()).isEqualTo(before.sequence());
            }
            case DEADLINE -> {
                assertThat(after.status()).isEqualTo(LifecycleStatus.DRAINING);
                assertThat(after.statusSince()).isEqualTo(before.statusSince());
                assertThat(after.version()).isEqualTo(before.version() + 1);
                assertThat(after.sequence()).isEqualTo(before.sequence());
                assertThat(after.drain().countedFrom()).isEqualTo(step.at());
            }
            case TRANSITION -> keepsTheRules(step.transition().orElseThrow(), before, step.at());
        }
        if (step.cause() != Cause.REGISTRATION) {
            assertThat(after.incarnation()).isEqualTo(before.incarnation());
            assertThat(after.owner()).isEqualTo(before.owner());
            assertThat(after.heartbeatCount()).isBetween(before.heartbeatCount(), before.heartbeatCount() + 1);
        }
        assertThat(after.drain().isUnderWay()).isEqualTo(after.status() == LifecycleStatus.DRAINING);
        if (after.status().hasEnded()) {
            assertThat(after.cleanUp().through()).isEqualTo(after.incarnation());
        } else {
            assertThat(after.cleanUp().through()).isLessThan(after.incarnation());
        }
    }

    private static void keepsTheRules(Transition transition, Pulse before, Instant at) {
        Pulse after = transition.after();
        assertThat(transition.before()).isEqualTo(before);
        Instant moment = at.isBefore(before.statusSince()) ? before.statusSince() : at;
        assertThat(transition.detectedAt()).isEqualTo(moment).isEqualTo(after.statusSince());
        assertThat(transition.dueAt()).isBeforeOrEqualTo(moment);
        assertThat(LifecycleTransitions.allows(before.status(), after.status())).isTrue();
        assertThat(after.version()).isEqualTo(before.version() + 1);
        assertThat(after.sequence()).isEqualTo(before.sequence() + (transition.isDrainTimeout() ? 2 : 1));
        boolean byHeartbeat = after.heartbeatCount() > before.heartbeatCount();
        assertThat(after.lastHeartbeatAt()).isEqualTo(byHeartbeat ? heard(before, at) : before.lastHeartbeatAt());
        switch (transition.reason()) {
            case HEARTBEAT_TIMEOUT -> assertThat(byHeartbeat).isFalse();
            case HEARTBEAT_RESUMED -> {
                assertThat(byHeartbeat).isTrue();
                assertThat(after.status()).isEqualTo(LifecycleStatus.ACTIVE);
            }
            case DRAIN_INITIATED -> assertThat(after.status()).isEqualTo(LifecycleStatus.DRAINING);
            case DRAIN_COMPLETED, DEREGISTERED -> assertThat(after.status()).isEqualTo(LifecycleStatus.DEREGISTERED);
            case DRAIN_TIMEOUT -> {
                assertThat(after.status()).isIn(LifecycleStatus.DEAD, LifecycleStatus.DEREGISTERED);
                assertThat(transition.dueAt()).isEqualTo(before.drain().deadline());
            }
            case REGISTERED, RE_REGISTERED ->
                throw new AssertionError("no rule for heartbeats, silence or drains registers an agent");
        }
    }

    /** A heartbeat that others overtook by up to two hours takes nothing back, and none is earlier than the status. */
    private static Instant heard(Pulse before, Instant at) {
        Instant last = before.lastHeartbeatAt();
        boolean isOvertaken = at.isBefore(last) && !at.plus(Duration.ofHours(2)).isBefore(last);
        Instant heard = isOvertaken ? last : at;
        return heard.isBefore(before.statusSince()) ? before.statusSince() : heard;
    }

    /** After a sweep no agent is beyond a threshold; computed from the numbers, not with the rules. */
    private static void nothingIsLeftToSweep(Life life) {
        Pulse pulse = life.pulse();
        Instant from = pulse.lastHeartbeatAt().isAfter(life.graceFrom()) ? pulse.lastHeartbeatAt() : life.graceFrom();
        long silentMillis = Duration.between(from, life.now()).toMillis();
        switch (pulse.status()) {
            case ACTIVE ->
                assertThat(silentMillis).isLessThanOrEqualTo(pulse.config().unhealthyAfterSeconds() * 1_000L);
            case UNHEALTHY ->
                assertThat(silentMillis).isLessThanOrEqualTo(pulse.config().deadAfterSeconds() * 1_000L);
            case DRAINING -> {
                assertThat(life.leasesHeld() > 0
                                || pulse.workload().load() > 0
                                || pulse.workload().taskCount() > 0
                                || pulse.heartbeatCount() == pulse.drain().heartbeatsBefore())
                        .as("work is left, or no heartbeat was answered since the drain began")
                        .isTrue();
                Instant heardBy = life.graceFrom().plusSeconds(pulse.config().unhealthyAfterSeconds());
                assertThat(life.now().isAfter(pulse.drain().deadline())
                                && (life.now().isAfter(heardBy)
                                        || pulse.drain().countedFrom().isAfter(life.graceFrom())))
                        .as("time is over")
                        .isFalse();
            }
            case DEAD, DEREGISTERED -> assertThat(pulse.drain()).isEqualTo(Drain.NONE);
            case REGISTERING -> throw new AssertionError("no agent stays registering");
        }
    }
}
