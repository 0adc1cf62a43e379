package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.functions.health.trust.Blocking;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.MarkRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.SweepEvent;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.model.sweep.SweepStatistics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * A pass of the sweep over all agents: begin, count, decide, act.
 *
 * <p>A pass first stores its start in the state of the sweep. If the previous start is too long ago, the pass begins a grace period:
 * silence counts only from now on, because the registry itself may have been down before. The pass then reads all rows once, and counts
 * silent agents and due changes. {@link MassFailureGuard} decides from these counts what the pass may change. An outage of the registry
 * looks like silence of all agents, so no agent is marked as dead before a self-check.
 *
 * <p>Finally the pass acts. It changes statuses first. Then it ends leases and blocks, publishes events for pools below their minimum, and
 * stores statistics. Each kind of work has a part of the time until the next pass. Work that is left is still due, and the next pass
 * continues it. For example, a pass that may mark 50 of 400 silent agents as dead leaves 350 agents to the next passes.
 *
 * <p>Two passes may run at the same time, and no pass takes a lock. Each write depends on the row as the pass read it, so that a heartbeat
 * in between makes the write fail.
 */
final class SweepPass {

    private final SweepStateStore states;
    private final MassFailureGuard guard;
    private final ClockCorrection correction;
    private final LeaseWork leases;
    private final Blocking blocking;
    private final PoolMonitor poolWatch;
    private final StatisticsWriter statisticsWriter;
    private final FleetHistoryWriter historyWriter;
    private final GroupCleaner groupCleaner;
    private final KeyEnds keyEnds;
    private final Clock clock;

    /** Kept by this process from pass to pass. The next pass writes it with its start. */
    private final AtomicLong fleetSize = new AtomicLong();

    /** The time up to which this process sent probes; {@link Instant#MIN} before its first pass. */
    private final AtomicReference<Instant> probedThrough = new AtomicReference<>(Instant.MIN);

    /** The time up to which this process stored days of agents; {@link Instant#MIN} before its first pass. */
    private final AtomicReference<Instant> daysThrough = new AtomicReference<>(Instant.MIN);

    private final AtomicReference<SweepStatistics> statistics = new AtomicReference<>(SweepStatistics.NONE);

    private final boolean isAlone;
    private final AtomicBoolean isFirst = new AtomicBoolean(true);
    private final AtomicBoolean followsFailure = new AtomicBoolean();

    /**
     * @param isAlone whether only this process receives and stores heartbeats. Then no heartbeat arrives before its first pass, or after a
     *     pass that failed to begin, however short the gap in sweeping is
     */
    SweepPass(
            SweepStateStore states,
            MassFailureGuard guard,
            ClockCorrection correction,
            LeaseWork leases,
            Blocking blocking,
            PoolMonitor poolWatch,
            StatisticsWriter statisticsWriter,
            FleetHistoryWriter historyWriter,
            GroupCleaner groupCleaner,
            KeyEnds keyEnds,
            boolean isAlone,
            Clock clock) {
        this.states = states;
        this.guard = guard;
        this.correction = correction;
        this.leases = leases;
        this.blocking = blocking;
        this.poolWatch = poolWatch;
        this.statisticsWriter = statisticsWriter;
        this.historyWriter = historyWriter;
        this.groupCleaner = groupCleaner;
        this.keyEnds = keyEnds;
        this.isAlone = isAlone;
        this.clock = clock;
    }

    /**
     * The counts and actions of a pass.
     *
     * @param reading the counts of the fleet
     * @param decision the decision after counting
     * @param actions the actions on agents
     * @param leasesExpired the number of leases that were marked as expired
     * @param poolsBelowMinimum the number of pools that fell below their minimum
     */
    record Outcome(
            FleetReading reading,
            SweepDecision decision,
            ActionCounts actions,
            long leasesExpired,
            long poolsBelowMinimum) {}

    /**
     * Runs a pass.
     *
     * @param fleets returns the fleet for an expected number of agents
     * @param tick the time between two passes
     * @param maxPause the maximum time since the start of the previous pass that is no gap in sweeping
     * @param timeLeft whether there is time for one more item
     */
    Outcome run(
            LongFunction<Fleet> fleets,
            RuntimeConfiguration configuration,
            Duration tick,
            Duration maxPause,
            BooleanSupplier timeLeft) {
        Instant begun = clock.instant();
        Instant confirmedAt = statisticsWriter.confirmedAt(begun, maxPause);
        SweepState state = begin(
                begun,
                maxPause,
                new SweepStateStore.Learnt(
                        fleetSize.get(), confirmedAt, daysThrough.get(), statistics.getAndSet(SweepStatistics.NONE)));
        statisticsWriter.begin(state.startedAt(), begun);
        Outcome outcome;
        try {
            outcome = run(fleets, configuration, state, tick, timeLeft, begun);
            statistics.set(statistics(outcome));
        } catch (RuntimeException e) {
            try {
                noteLongPass(begun, tick);
            } catch (RuntimeException unnoted) {
                e.addSuppressed(unnoted);
            }
            throw e;
        }
        noteLongPass(begun, tick);
        return outcome;
    }

    /** Notes that a pass failed to begin. If heartbeats go to the same disk, they failed too, and agents are not silent. */
    void couldNotBegin() {
        followsFailure.set(isAlone);
    }

    private SweepState begin(Instant now, Duration maxPause, SweepStateStore.Learnt learnt) {
        try {
            SweepState state = correction.steppedAhead() || followsFailure.get()
                    ? states.beginAfterFailure(now, learnt)
                    : states.begin(now, isAlone && isFirst.get() ? Duration.ZERO : maxPause, learnt);
            isFirst.set(false);
            followsFailure.set(false);
            return state;
        } catch (RuntimeException e) {
            couldNotBegin();
            throw e;
        }
    }

    private static SweepStatistics statistics(Outcome outcome) {
        ActionCounts actions = outcome.actions();
        return new SweepStatistics(
                OptionalLong.of(outcome.reading().count().get(FleetCounter.HEARD)),
                Duration.ofMillis(Math.max(0, actions.maxLagMillis())),
                new Counts<>(Map.of(
                        SweepEvent.AGENT_UNHEALTHY, actions.get(Action.UNHEALTHY),
                        SweepEvent.AGENT_DEAD, actions.get(Action.DEAD),
                        SweepEvent.AGENT_DEREGISTERED, actions.get(Action.DEREGISTERED),
                        SweepEvent.LEASE_EXPIRED, outcome.leasesExpired(),
                        SweepEvent.POOL_BELOW_MINIMUM, outcome.poolsBelowMinimum())));
    }

    /** Stores that a long pass was no gap in sweeping. Otherwise every pass of a slow sweep would begin a grace period. */
    private void noteLongPass(Instant begun, Duration tick) {
        Instant ended = clock.instant();
        if (Duration.between(begun, ended).compareTo(tick) > 0) {
            states.stillSweeping(ended);
            statisticsWriter.startedAt(ended);
        }
    }

    private Outcome run(
            LongFunction<Fleet> fleets,
            RuntimeConfiguration configuration,
            SweepState stored,
            Duration tick,
            BooleanSupplier timeLeft,
            Instant now) {
        SweepState state = stored.bounded(correction.maxAhead(), now);
        Fleet fleet = fleets.apply(Math.max(state.fleetSize(), fleetSize.get()));
        PoolStore.Watch watch = poolWatch.begin();
        FleetReading reading = fleet.read(new Inspection(
                state.graceFrom(),
                ProbeTimeoutRule.of(state.probes(), state.graceFrom(), now),
                now,
                MarkRule.since(state.markedThrough(), now),
                daysAfter(state, now),
                probesAfter(state, now),
                PoolMonitor.roles(watch),
                correction.maxAhead(),
                true));
        probedThrough.set(now);
        fleetSize.set(reading.count().monitored());
        SweepDecision decision = guard.decide(
                        reading.count(),
                        reading.owners(),
                        state,
                        configuration.massSilence(),
                        correction.ahead(stored, reading.count(), now),
                        now)
                .every(tick);
        // Deaths come first. Other work has a part of the time between two passes, and the next pass continues it.
        ActionCounts actions = reading.due() == 0 ? ActionCounts.NONE : fleet.act(decision);
        long leasesExpired = leases.run(now, TimeLeft.within(tick.dividedBy(4), clock, timeLeft));
        BooleanSupplier forRest = TimeLeft.within(tick.dividedBy(4), clock, timeLeft);
        blocking.noteEnds(forRest);
        // While the self-check fails, the number of active agents is no measure of a pool.
        long poolsBelowMinimum = decision.mayChangeStatus() ? poolWatch.end(watch, reading.pools(), now, forRest) : 0;
        correction.end(stored, reading.count(), decision.correctsTimes(), actions, now, forRest);
        noteMarks(state, actions, now);
        if (actions.get(Action.DAYS_POSTPONED) == 0) {
            daysThrough.set(now);
        }
        statisticsWriter.keep(reading.statistics(), now);
        if (decision.mayChangeStatus()) {
            historyWriter.keep(reading.statistics(), state, now);
        }
        if (GroupCleaner.isDue(state.startedAt(), now)) {
            groupCleaner.run(reading.statistics(), now, forRest);
            keyEnds.announce(now, forRest);
        }
        return new Outcome(
                reading, decision, actions, leasesExpired + actions.get(Action.LEASES_EXPIRED), poolsBelowMinimum);
    }

    /**
     * Returns the time up to which days of agents are stored, but not before the oldest stored event. The very first pass looks back one
     * day.
     */
    private Instant daysAfter(SweepState state, Instant now) {
        Instant through = daysThrough.get().isAfter(Instant.MIN) ? daysThrough.get() : state.daysThrough();
        if (through.equals(Instant.MIN) || ClockRule.isTooFarAhead(through, correction.maxAhead(), now)) {
            return now.minus(Duration.ofDays(1));
        }
        Instant earliest = states.oldestEventAt(now);
        return through.isBefore(earliest) ? earliest : through;
    }

    /**
     * Returns the time up to which probes were sent. A long pass moves the start in the state, so that only this process knows the time.
     */
    private Instant probesAfter(SweepState state, Instant now) {
        Instant before = probedThrough.get();
        Instant after = before.isAfter(Instant.MIN) ? before : state.startedAt();
        Instant earliest = now.minusSeconds(Watch.MAX_INTERVAL_SECONDS);
        return after.isBefore(earliest) ? earliest : ClockRule.bounded(after, Duration.ZERO, now);
    }

    /**
     * Stores up to when agents are marked, if this pass marked agents. A pass without agents to mark writes nothing: the next pass looks
     * back equally far and finds no agent either.
     */
    private void noteMarks(SweepState state, ActionCounts actions, Instant now) {
        if (actions.get(Action.UNMARKED) == 0
                && (actions.get(Action.MARKED) > 0 || state.markedThrough().equals(Instant.MIN))) {
            states.markedThrough(now);
        }
    }
}
