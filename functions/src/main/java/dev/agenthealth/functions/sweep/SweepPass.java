package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.leases.LeaseExpiry;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.sweep.MarkRule;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/**
 * One pass of the sweep: note the start, forgive what nobody listened to, count, decide, write. Two passes at once do no harm.
 */
final class SweepPass {

    private final SweepStateStore states;
    private final MassFailureGuard judgement;
    private final LeaseExpiry leaseExpiry;
    private final PoolWatch poolWatch;
    private final CensusKeeper censusKeeper;
    private final Clock clock;

    /** Remembered from pass to pass of this process, and written with the start of the next one. */
    private final AtomicLong fleetSize = new AtomicLong();

    SweepPass(
            SweepStateStore states,
            MassFailureGuard judgement,
            LeaseExpiry leaseExpiry,
            PoolWatch poolWatch,
            CensusKeeper censusKeeper,
            Clock clock) {
        this.states = states;
        this.judgement = judgement;
        this.leaseExpiry = leaseExpiry;
        this.poolWatch = poolWatch;
        this.censusKeeper = censusKeeper;
        this.clock = clock;
    }

    /**
     * What a pass found and did.
     *
     * @param reading the fleet as it was counted
     * @param orders what was decided
     * @param deeds what was done
     * @param leasesRanOut leases that were noted to have run out
     * @param poolsTold pools that were found to have fallen below their minimum
     */
    record Outcome(FleetReading reading, SweepDecision orders, ActionCounts deeds, long leasesRanOut, long poolsTold) {}

    /**
     * Runs a pass.
     *
     * @param tick the time between two passes
     * @param longestPause how long ago the pass before may have started without a gap in sweeping
     * @param timeLeft whether there is time to begin with something more
     */
    Outcome run(
            LongFunction<Fleet> fleets,
            RuntimeConfiguration configuration,
            Duration tick,
            Duration longestPause,
            BooleanSupplier timeLeft) {
        Instant begun = clock.instant();
        Instant confirmedAt = censusKeeper.confirmedAt(begun, longestPause);
        SweepState state = states.begin(begun, longestPause, new SweepStateStore.Learnt(fleetSize.get(), confirmedAt));
        censusKeeper.begin(state.startedAt(), begun);
        Outcome outcome;
        try {
            outcome = run(fleets, configuration, state, timeLeft, begun);
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

    /** A pass that took long is no gap in sweeping: else a slow sweep would forgive for ever. */
    private void noteLongPass(Instant begun, Duration tick) {
        Instant ended = clock.instant();
        if (Duration.between(begun, ended).compareTo(tick) > 0) {
            states.stillSweeping(ended);
            censusKeeper.startedAt(ended);
        }
    }

    private Outcome run(
            LongFunction<Fleet> fleets,
            RuntimeConfiguration configuration,
            SweepState state,
            BooleanSupplier timeLeft,
            Instant now) {
        Fleet fleet = fleets.apply(Math.max(state.fleetSize(), fleetSize.get()));
        PoolStore.Watch watch = poolWatch.begin();
        FleetReading reading = fleet.read(new Inspection(
                state.amnestyFrom(), now, MarkRule.since(state.markedThrough(), now), PoolWatch.roles(watch)));
        fleetSize.set(reading.count().monitored());
        SweepDecision orders = judgement.orders(reading.count(), state, configuration.massSilence(), now);
        // Before drains are judged: a lease that ran out no longer keeps its holder from leaving.
        long leasesRanOut = leaseExpiry.note(now, timeLeft);
        ActionCounts deeds = reading.due() == 0 ? ActionCounts.NONE : fleet.act(orders);
        // A deaf registry knows nothing of its pools either.
        long poolsTold = orders.mayChangeStatus() ? poolWatch.end(watch, reading.pools(), now, timeLeft) : 0;
        noteMarks(state, deeds, now);
        censusKeeper.keep(reading.census(), now);
        return new Outcome(reading, orders, deeds, leasesRanOut, poolsTold);
    }

    /**
     * Notes how far agents are marked, where anybody was. A pass that finds nobody to mark writes nothing: the next one looks back as far as
     * this one, and finds nobody either.
     */
    private void noteMarks(SweepState state, ActionCounts deeds, Instant now) {
        if (deeds.unmarked() == 0
                && (deeds.marked() > 0 || state.markedThrough().equals(Instant.MIN))) {
            states.markedThrough(now);
        }
    }
}
