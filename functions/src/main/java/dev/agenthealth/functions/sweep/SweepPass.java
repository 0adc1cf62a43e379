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

    /** Gives the fleet to read, of about so many monitored agents. */
    @FunctionalInterface
    interface Fleets {

        Fleet ofSize(long agents);
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
            Fleets fleets,
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
            Fleets fleets,
            RuntimeConfiguration configuration,
            SweepState state,
            BooleanSupplier timeLeft,
            Instant now) {
        Fleet fleet = fleets.ofSize(Math.max(state.fleetSize(), fleetSize.get()));
        PoolStore.Watch watch = poolWatch.begin();
        FleetReading reading = fleet.read(new Inspection(
                state.amnestyFrom(), now, MarkRule.since(state.markedThrough(), now), PoolWatch.roles(watch)));
        fleetSize.set(reading.count().monitored());
        SweepDecision orders = judgement.orders(reading.count(), state, configuration.massSilence(), now);
        // Before drains are judged: a lease that ran out no longer keeps its holder from leaving.
        long leasesRanOut = leaseExpiry.note(now, timeLeft);
        ActionCounts deeds = reading.due() == 0 ? ActionCounts.NONE : fleet.act(orders);
        // A deaf registry knows nothing of its pools either.
        boolean poolsKnown = orders.mayChangeStatus() && reading.pools().whole();
        long poolsTold = poolsKnown ? poolWatch.end(watch, reading.pools(), now, timeLeft) : 0;
        noteMarks(state, reading, deeds, now);
        censusKeeper.keep(reading.census(), now);
        return new Outcome(reading, orders, deeds, leasesRanOut, poolsTold);
    }

    /**
     * Notes how far agents are marked, where anybody was. A pass that finds nobody to mark writes nothing: the next one looks back as far as
     * this one, and finds nobody either.
     */
    private void noteMarks(SweepState state, FleetReading reading, ActionCounts deeds, Instant now) {
        // A worker that knows of no census knows of no marks either.
        boolean all = reading.census().whole() && deeds.unmarked() == 0;
        if (all && (deeds.marked() > 0 || state.markedThrough().equals(Instant.MIN))) {
            states.markedThrough(now);
        }
    }
}
