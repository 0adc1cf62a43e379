package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.registry.leases.LeaseExpiry;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.event.RegistryEvents;
import dev.agenthealth.model.sweep.ClockEpisode;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import dev.agenthealth.model.sweep.SweepState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds steps of the clock, corrects what a clock that ran ahead left behind, and publishes both. On one machine a step is measured. Servers with clocks of
 * their own share no monotonic clock: a step follows from stored times there. Thread-safe.
 */
final class ClockCorrection {

    private final SweepStateStore states;
    private final LeaseExpiry leases;
    private final StepMeter meter;
    private final Duration maxAhead;
    private final Log log;

    private ClockCorrection(SweepStateStore states, LeaseExpiry leases, StepMeter meter, Duration maxAhead, Log log) {
        this.states = states;
        this.leases = leases;
        this.meter = meter;
        this.maxAhead = maxAhead;
        this.log = log;
    }

    /** The correction on one machine, where one clock writes and reads every time. */
    static ClockCorrection onOneMachine(SweepStateStore states, LeaseExpiry leases, StepMeter meter, Log log) {
        return new ClockCorrection(states, leases, meter, Duration.ZERO, log);
    }

    /** The correction where servers have clocks of their own. */
    static ClockCorrection ofServers(SweepStateStore states, LeaseExpiry leases, Clock clock, Log log) {
        return new ClockCorrection(states, leases, StepMeter.none(clock), ClockRule.MAX_PASS, log);
    }

    /** Returns whether the clock stepped ahead since the last pass: what is stored seems older than it is. */
    boolean steppedAhead() {
        return meter.measure().compareTo(Duration.ZERO) > 0;
    }

    /** Returns how far times of rows and of the state may lie ahead of the clock of a pass. */
    Duration maxAhead() {
        return maxAhead;
    }

    /** Returns the same where a row or the state has a time that lies further ahead; empty where none has. */
    Optional<Duration> ahead(SweepState state, FleetCount count, Instant now) {
        return Optional.of(maxAhead).filter(max -> count.get(FleetCounter.AHEAD) > 0 || state.isAhead(max, now));
    }

    /**
     * Corrects the state and leases, after rows were corrected, and publishes a step or the end of its effects.
     *
     * @param state as it was read
     * @param correctsTimes whether the clock of this pass is known to be right
     */
    void end(
            SweepState state,
            FleetCount count,
            boolean correctsTimes,
            ActionCounts actions,
            Instant now,
            BooleanSupplier timeLeft) {
        boolean corrected = actions.get(Action.CLOCK_CORRECTED) > 0;
        if (correctsTimes) {
            corrected |= state.isAhead(maxAhead, now) && states.correct(state, state.bounded(maxAhead, now));
            corrected |= leases.noteAhead(now, timeLeft) > 0;
        }
        Duration step = meter.unpublished();
        long agents = actions.get(Action.CLOCK_CORRECTED);
        ClockEpisode episode = state.clock();
        if (ClockRule.isStep(step)) {
            // By the clock before a step ahead, so that the events of a step and of the one that takes it back are in
            // order.
            publish(
                    episode,
                    step,
                    RegistryEvents.MONOTONIC_CLOCK,
                    agents,
                    step.isNegative() ? now : now.minus(step),
                    now);
            meter.published(step);
        } else if (corrected && episode.isOpen()) {
            states.clockHasEffects(episode, now);
        } else if (corrected) {
            publish(
                    episode,
                    Duration.between(latest(state, count, now), now),
                    RegistryEvents.STORED_TIMES,
                    agents,
                    now,
                    now);
        } else if (episode.isOver(now)
                && states.endClockStepped(episode.since(), RegistryEvents.clockSteady(episode.since(), now))) {
            log.info("clock_steady", Map.of("since", episode.since()));
        }
    }

    /** The time that lies furthest ahead, as far as a pass counts them. */
    private static Instant latest(SweepState state, FleetCount count, Instant now) {
        Instant latest = state.latest().isAfter(count.freshest()) ? state.latest() : count.freshest();
        return latest.isAfter(now) ? latest : now;
    }

    private void publish(ClockEpisode seen, Duration step, String measuredBy, long agents, Instant at, Instant now) {
        if (states.clockStepped(
                seen, at, now, published -> RegistryEvents.clockStepped(step, measuredBy, agents, published))) {
            log.warn(
                    "clock_stepped",
                    Map.of("step_ms", step.toMillis(), "measured_by", measuredBy, "corrected_agents", agents));
        }
    }
}
