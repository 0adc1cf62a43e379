package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.SweepStateStore;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.sweep.AmnestyRule;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One pass of the sweep: note the start, forgive what nobody listened to, count, decide, write. Two passes at once do no harm.
 */
final class SweepPass {

    private final SweepStateStore states;
    private final Judgement judgement;
    private final Clock clock;

    /** Remembered from pass to pass of this process, and written with the start of the next one. */
    private final AtomicLong fleetSize = new AtomicLong();

    SweepPass(SweepStateStore states, Judgement judgement, Clock clock) {
        this.states = states;
        this.judgement = judgement;
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
     */
    record Outcome(FleetReading reading, Orders orders, Deeds deeds) {}

    /**
     * Runs a pass.
     *
     * @param tick the time between two passes
     */
    Outcome run(Fleets fleets, RuntimeConfiguration configuration, Duration tick) {
        Instant begun = clock.instant();
        SweepState state = states.begin(begun, AmnestyRule.longestPause(tick), fleetSize.get());
        Outcome outcome;
        try {
            outcome = run(fleets, configuration, state, begun);
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
        }
    }

    private Outcome run(Fleets fleets, RuntimeConfiguration configuration, SweepState state, Instant now) {
        Fleet fleet = fleets.ofSize(Math.max(state.fleetSize(), fleetSize.get()));
        FleetReading reading = fleet.read(state.amnestyFrom(), now);
        fleetSize.set(reading.count().monitored());
        Orders orders = judgement.orders(reading.count(), state, configuration.massSilence(), now);
        Deeds deeds = reading.due() == 0 ? Deeds.NONE : fleet.act(orders);
        return new Outcome(reading, orders, deeds);
    }
}
