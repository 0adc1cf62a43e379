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

/** How a drain begins and ends (RFC-0016 §5.2, §9.3). */
public final class DrainRule {

    private DrainRule() {}

    /**
     * The beginning of a drain, from active or unhealthy.
     *
     * @param holdsLeases whether the agent holds leases now
     * @throws IllegalArgumentException from any other status
     */
    public static Transition start(Pulse pulse, Duration timeout, boolean holdsLeases, Instant now) {
        Pulse after = pulse.withStatus(DRAINING, Drain.starting(now, timeout, holdsLeases), now);
        return Transition.now(pulse, after, DRAIN_INITIATED, now);
    }

    /**
     * Whether a drain may end, as far as the pulse alone says. Where it may, {@link #end} decides, given the leases that the agent holds.
     */
    public static boolean mayEnd(Pulse pulse, Instant graceFrom, Instant now) {
        return pulse.status() == DRAINING && (isWorkDone(pulse) || isTimeOver(pulse, graceFrom, now));
    }

    /**
     * The end of a drain whose work is done: deregistered. Empty where work is left, and for an agent that is not draining.
     *
     * @param holdsLeases whether the agent holds leases now
     */
    public static Optional<Transition> completion(Pulse pulse, boolean holdsLeases, Instant now) {
        return pulse.status() == DRAINING && !holdsLeases && isWorkDone(pulse)
                ? Optional.of(
                        Transition.now(pulse, pulse.withStatus(DEREGISTERED, Drain.NONE, now), DRAIN_COMPLETED, now))
                : Optional.empty();
    }

    /**
     * The end of a drain: deregistered once the work is done, dead where leases or load are left at the deadline. The work is done when no
     * lease is held any more and, for an agent that held none when the drain began, no load is reported. Empty while the drain goes on,
     * and for an agent that is not draining.
     *
     * @param holdsLeases whether the agent holds leases now
     * @param graceFrom the deadline does not pass before the agent had time to send a heartbeat after this moment
     */
    public static Optional<Transition> end(Pulse pulse, boolean holdsLeases, Instant graceFrom, Instant now) {
        Optional<Transition> completion = completion(pulse, holdsLeases, now);
        if (completion.isPresent()) {
            return completion;
        }
        if (isTimeOver(pulse, graceFrom, now)) {
            // The warning that the time ran out is an event of its own, before that of the death.
            Pulse after = pulse.withOneMoreEvent().withStatus(DEAD, Drain.NONE, now);
            return Optional.of(
                    new Transition(pulse, after, DRAIN_TIMEOUT, pulse.drain().deadline(), now));
        }
        return Optional.empty();
    }

    /** Whether the deadline has passed and, after an outage of the registry itself, the agent had time to send a heartbeat again. */
    public static boolean isTimeOver(Pulse pulse, Instant graceFrom, Instant now) {
        return pulse.status() == DRAINING
                && pulse.drain().isOver(now)
                && now.isAfter(graceFrom.plus(pulse.config().unhealthyAfter()));
    }

    private static boolean isWorkDone(Pulse pulse) {
        return pulse.drain().heldLeases() || pulse.workload().isIdle();
    }
}
