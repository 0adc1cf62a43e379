package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.sweep.SweepState;
import dev.agenthealth.model.sweep.SweepStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The progress of the passes of this process. It begins each pass in the state of the sweep, and keeps from pass to pass what the state does
 * not hold yet. Thread-safe.
 */
final class SweepProgress {

    private final SweepStateStore states;
    private final StatisticsWriter statisticsWriter;
    private final ClockCorrection correction;
    private final boolean isAlone;

    /** Kept by this process from pass to pass. The next pass writes it with its start. */
    private final AtomicLong fleetSize = new AtomicLong();

    /** The time up to which this process sent probes; {@link Instant#MIN} before its first pass. */
    private final AtomicReference<Instant> probedThrough = new AtomicReference<>(Instant.MIN);

    /** The time up to which this process stored days of agents; {@link Instant#MIN} before its first pass. */
    private final AtomicReference<Instant> daysThrough = new AtomicReference<>(Instant.MIN);

    private final AtomicReference<SweepStatistics> statistics = new AtomicReference<>(SweepStatistics.NONE);

    private final AtomicBoolean isFirst = new AtomicBoolean(true);
    private final AtomicBoolean followsFailure = new AtomicBoolean();

    /**
     * @param isAlone whether only this process receives and stores heartbeats. Then no heartbeat arrives before its first pass, or after a
     *     pass that failed to begin, however short the gap in sweeping is
     */
    SweepProgress(
            SweepStateStore states, StatisticsWriter statisticsWriter, ClockCorrection correction, boolean isAlone) {
        this.states = states;
        this.statisticsWriter = statisticsWriter;
        this.correction = correction;
        this.isAlone = isAlone;
    }

    /**
     * Stores that a pass starts. Returns the state for the pass.
     *
     * @param maxPause the maximum time since the start of the previous pass that is no gap in sweeping
     */
    SweepState begin(Instant now, Duration maxPause) {
        SweepStateStore.Learnt learnt = new SweepStateStore.Learnt(
                fleetSize.get(),
                statisticsWriter.confirmedAt(now, maxPause),
                daysThrough.get(),
                statistics.getAndSet(SweepStatistics.NONE));
        SweepState state = begin(now, maxPause, learnt);
        statisticsWriter.begin(state.startedAt(), now);
        return state;
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

    /** Notes that a pass failed to begin. If heartbeats go to the same disk, they failed too, and must not count as missing. */
    void couldNotBegin() {
        followsFailure.set(isAlone);
    }

    /** Stores that a long pass was no gap in sweeping. Otherwise every pass of a slow sweep would begin a grace period. */
    void stillSweeping(Instant now) {
        states.stillSweeping(now);
        statisticsWriter.startedAt(now);
    }

    /** Returns the expected number of agents. */
    long fleetSize(SweepState state) {
        return Math.max(state.fleetSize(), fleetSize.get());
    }

    /** Returns the times after which the work of a pass is due. */
    Inspection.After after(SweepState state, Instant now, Instant marks, Duration waits) {
        return new Inspection.After(marks, daysAfter(state, now), probesAfter(state, now), waits);
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

    /** Notes that a pass read the fleet and sent its probes. */
    void read(FleetReading reading, Instant now) {
        probedThrough.set(now);
        fleetSize.set(reading.count().monitored());
    }

    /**
     * Notes the work of a pass. Stores up to when agents are marked, if the pass marked agents. A pass without agents to mark writes
     * nothing: the next pass looks back equally far and finds no agent either.
     */
    void acted(SweepState state, ActionCounts actions, Instant now) {
        if (actions.get(Action.UNMARKED) == 0
                && (actions.get(Action.MARKED) > 0 || state.markedThrough().equals(Instant.MIN))) {
            states.markedThrough(now);
        }
        if (actions.get(Action.DAYS_POSTPONED) == 0) {
            daysThrough.set(now);
        }
    }

    /** Keeps the findings and actions of a pass until the next pass stores them. */
    void ended(SweepStatistics found) {
        statistics.set(found);
    }
}
