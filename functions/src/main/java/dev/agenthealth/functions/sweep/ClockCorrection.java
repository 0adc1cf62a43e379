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
 * Detects steps of the clock, corrects stored times that lie in the future, and publishes both. Thread-safe.
 *
 * <p>On one machine, the sweep measures a step with the monotonic clock. Servers share no monotonic clock: there, a step follows from
 * stored times.
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

    /** Returns the correction for one machine, whose clock writes and reads every time. */
    static ClockCorrection onOneMachine(SweepStateStore states, LeaseExpiry leases, StepMeter meter, Log log) {
        return new ClockCorrection(states, leases, meter, Duration.ZERO, log);
    }

    /** Returns the correction for servers with clocks of their own. */
    static ClockCorrection ofServers(SweepStateStore states, LeaseExpiry leases, Clock clock, Log log) {
        return new ClockCorrection(states, leases, StepMeter.none(clock), ClockRule.MAX_PASS, log);
    }

    /** Returns whether the clock stepped ahead since the last pass. After such a step, stored times seem older than they are. */
    boolean steppedAhead() {
        return meter.measure().compareTo(Duration.ZERO) > 0;
    }

    /** Returns how far times of rows and of the state may lie ahead of the clock of a pass without a correction. */
    Duration maxAhead() {
        return maxAhead;
    }

    /** Returns {@link #maxAhead} if a time of a row or of the state lies further ahead; otherwise empty. */
    Optional<Duration> ahead(SweepState state, FleetCount count, Instant now) {
        return Optional.of(maxAhead).filter(max -> count.get(FleetCounter.AHEAD) > 0 || state.isAhead(max, now));
    }

    /**
     * Corrects the state and the leases after the rows were corrected. Publishes a step, or the end of its effects.
     *
     * @param state the state as the pass read it
     * @param correctsTimes whether the self-check has shown that the clock of this pass is right
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
            // The event has the time before a step ahead, so that it precedes the event of the step back.
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

    /** Returns the latest time in the state and in the counted rows, or {@code now} if none is later. */
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
