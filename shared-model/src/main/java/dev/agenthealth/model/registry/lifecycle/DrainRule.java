package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.DRAIN_COMPLETED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.DRAIN_INITIATED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.DRAIN_TIMEOUT;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when drains begin and end (RFC-0016 §5.2, §9.3).
 *
 * <p>A drain ends when the agent releases its last lease. It also ends when no leases, load or tasks are left and the agent knows of the drain. The
 * agent knows if it asked for the drain or the answer to a heartbeat named it. At the deadline every drain ends.
 */
public final class DrainRule {

    private DrainRule() {}

    /**
     * Returns the beginning of a drain, from active or unhealthy. If a command is pending, its reason applies. If the agent itself asks for the
     * drain then, it follows the command, and the sender of the command counts as the requester.
     *
     * @param requestedBy the id of the key that asks for the drain
     * @param byAgent whether this key is the agent
     * @throws IllegalArgumentException from any other status
     */
    public static Transition start(Pulse pulse, Duration timeout, String requestedBy, boolean byAgent, Instant now) {
        PendingDrain command = pulse.coordination().pendingDrain();
        boolean followsCommand = byAgent && command.isPending();
        Drain drain = new Drain(
                now.plus(timeout),
                timeout,
                byAgent ? Drain.ASKED_BY_AGENT : pulse.heartbeatCount(),
                command.reason(),
                followsCommand ? command.requestedBy() : requestedBy);
        return Transition.now(pulse, pulse.withStatus(DRAINING, drain, now), DRAIN_INITIATED, now);
    }

    /** Returns whether a drain may end, judged by the pulse alone. If it may, {@link #end} decides with the agent's leases. */
    public static boolean mayEnd(Pulse pulse, Instant graceFrom, Instant now) {
        return mayComplete(pulse, pulse.heartbeatCount()) || isTimeOver(pulse, graceFrom, now);
    }

    /**
     * Returns whether the heartbeat that was just counted may complete the drain, judged by the pulse alone. The answer to this heartbeat is not
     * sent yet.
     */
    public static boolean mayCompleteWithHeartbeat(Pulse counted) {
        return mayComplete(counted, counted.heartbeatCount() - 1);
    }

    /**
     * Returns the end of a drain without remaining work: the agent is deregistered.
     *
     * @throws IllegalArgumentException for an agent that is not monitored
     */
    public static Transition completion(Pulse pulse, Instant now) {
        return Transition.now(pulse, ended(pulse, pulse, DEREGISTERED, DRAIN_COMPLETED, now), DRAIN_COMPLETED, now);
    }

    /**
     * Returns the end of a drain without the release of a lease (RFC-0016 §2.2, §5.2). At the deadline the agent becomes dead if it holds leases, or
     * if it reported work and its heartbeats are missing. Otherwise it is deregistered. Empty while the drain goes on, and for an agent that is not
     * draining.
     *
     * @param holdsLeases whether the agent holds leases now
     * @param graceFrom the start of the grace period; the deadline does not pass before the agent had time to send a heartbeat after it
     */
    public static Optional<Transition> end(Pulse pulse, boolean holdsLeases, Instant graceFrom, Instant now) {
        boolean idle = pulse.workload().isIdle();
        if (!isTimeOver(pulse, graceFrom, now)) {
            return !holdsLeases && mayComplete(pulse, pulse.heartbeatCount())
                    ? Optional.of(completion(pulse, now))
                    : Optional.empty();
        }
        if (holdsLeases || !idle && HeartbeatTimeoutRule.isSilent(pulse, graceFrom, now)) {
            // The warning about the time-out is a separate event, before the event of the death.
            return Optional.of(timeout(pulse, pulse.withOneMoreEvent(), DEAD, now));
        }
        return Optional.of(idle ? completion(pulse, now) : timeout(pulse, pulse, DEREGISTERED, now));
    }

    private static Transition timeout(Pulse before, Pulse counted, LifecycleStatus next, Instant now) {
        Pulse after = ended(before, counted, next, DRAIN_TIMEOUT, now);
        return new Transition(before, after, DRAIN_TIMEOUT, before.drain().deadline(), now);
    }

    /** The party that asked for a drain also counts as the party that ended the registration, even if the drain timed out. */
    private static Pulse ended(
            Pulse draining, Pulse counted, LifecycleStatus next, LifecycleReason reason, Instant now) {
        return counted.withStatus(next, Drain.NONE, now).ended(requester(draining), reason);
    }

    private static EndedBy requester(Pulse draining) {
        String requestedBy = draining.drain().requestedBy();
        if (requestedBy.equals(PendingDrain.REGISTRY)) {
            return EndedBy.REGISTRY;
        }
        boolean ofOwner =
                requestedBy.isEmpty() || requestedBy.equals(draining.owner().keyId());
        return ofOwner ? EndedBy.OWNER : EndedBy.OPERATOR;
    }

    /** Returns whether the deadline has passed. After an outage of the registry, a draining agent gets time to send a heartbeat again. */
    public static boolean isTimeOver(Pulse pulse, Instant graceFrom, Instant now) {
        return pulse.status() == DRAINING
                && pulse.drain().isOver(now)
                && (pulse.drain().countedFrom().isAfter(graceFrom)
                        || now.isAfter(graceFrom.plus(pulse.config().unhealthyAfter())));
    }

    private static boolean mayComplete(Pulse pulse, long answeredHeartbeats) {
        return pulse.status() == DRAINING
                && pulse.workload().isIdle()
                && pulse.drain().isKnownAfter(answeredHeartbeats);
    }
}
