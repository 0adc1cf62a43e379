package dev.agenthealth.model.lifecycle;

import static dev.agenthealth.model.lifecycle.LifecycleReason.DRAIN_COMPLETED;
import static dev.agenthealth.model.lifecycle.LifecycleReason.DRAIN_INITIATED;
import static dev.agenthealth.model.lifecycle.LifecycleReason.DRAIN_TIMEOUT;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DRAINING;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How a drain begins and ends (RFC-0016 §5.2). */
public final class DrainRule {

    private DrainRule() {}

    /**
     * The beginning of a drain, from active or unhealthy.
     *
     * @throws IllegalArgumentException from any other status
     */
    public static Transition start(Pulse pulse, Duration timeout, Instant now) {
        Pulse after = pulse.in(DRAINING, Drain.starting(now, timeout), now);
        return Transition.now(pulse, after, DRAIN_INITIATED, now);
    }

    /**
     * The end of a drain, once the work is done or the deadline has passed: deregistered, or dead where work is left at the
     * deadline. Empty while it goes on, and for an agent that is not draining.
     */
    public static Optional<Transition> end(Pulse pulse, Instant now) {
        if (pulse.status() != DRAINING) {
            return Optional.empty();
        }
        if (pulse.workload().isIdle()) {
            return Optional.of(Transition.now(pulse, pulse.in(DEREGISTERED, Drain.NONE, now), DRAIN_COMPLETED, now));
        }
        if (pulse.drain().isOver(now)) {
            // The warning that the time ran out is an event of its own, before that of the death.
            Pulse after = pulse.withOneMoreEvent().in(DEAD, Drain.NONE, now);
            return Optional.of(
                    new Transition(pulse, after, DRAIN_TIMEOUT, pulse.drain().deadline(), now));
        }
        return Optional.empty();
    }
}
