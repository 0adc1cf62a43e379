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
 * Begins and ends drains (RFC-0016 §5.2, §9.3).
 *
 * <p>Giving back the last lease ends it. Otherwise it ends when no work is left, neither leases nor load nor tasks, and the agent knows of the
 * drain: it asked for it, or the answer to a heartbeat named it. At the deadline it ends in any case.
 */
public final class DrainRule {

    private DrainRule() {}

    /**
     * The beginning of a drain, from active or unhealthy. Where a command is pending, its reason applies, and an agent that asks for the drain
     * follows the command: then its sender requested the drain.
     *
     * @param requestedBy id of the key that asks for it
     * @param byAgent whether that is the agent
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

    /**
     * Returns whether a drain may end by the pulse alone. Where it may, {@link #end} decides, given the leases that the agent holds.
     */
    public static boolean mayEnd(Pulse pulse, Instant graceFrom, Instant now) {
        return mayComplete(pulse, pulse.heartbeatCount()) || isTimeOver(pulse, graceFrom, now);
    }

    /** Returns whether the heartbeat that was just counted may complete the drain, by the pulse alone. Its own answer is not sent yet. */
    public static boolean mayCompleteWithHeartbeat(Pulse counted) {
        return mayComplete(counted, counted.heartbeatCount() - 1);
    }

    /**
     * The end of a drain whose work is done: deregistered.
     *
     * @throws IllegalArgumentException for an agent that is not monitored
     */
    public static Transition completion(Pulse pulse, Instant now) {
        return Transition.now(pulse, ended(pulse, pulse, DEREGISTERED, DRAIN_COMPLETED, now), DRAIN_COMPLETED, now);
    }

    /**
     * The end of a drain that no lease was given back for (RFC-0016 §2.2, §5.2). At the deadline the agent is dead if it holds leases, or if it
     * reported work and is silent; otherwise it is deregistered. Empty while the drain goes on, and for an agent that is not draining.
     *
     * @param holdsLeases whether the agent holds leases now
     * @param graceFrom the deadline does not pass before the agent had time to send a heartbeat after this moment
     */
    public static Optional<Transition> end(Pulse pulse, boolean holdsLeases, Instant graceFrom, Instant now) {
        boolean idle = pulse.workload().isIdle();
        if (!isTimeOver(pulse, graceFrom, now)) {
            return !holdsLeases && mayComplete(pulse, pulse.heartbeatCount())
                    ? Optional.of(completion(pulse, now))
                    : Optional.empty();
        }
        if (holdsLeases || !idle && HeartbeatTimeoutRule.isSilent(pulse, graceFrom, now)) {
            // The warning that the time ran out is an event of its own, before that of the death.
            return Optional.of(timeout(pulse, pulse.withOneMoreEvent(), DEAD, now));
        }
        return Optional.of(idle ? completion(pulse, now) : timeout(pulse, pulse, DEREGISTERED, now));
    }

    private static Transition timeout(Pulse before, Pulse counted, LifecycleStatus next, Instant now) {
        Pulse after = ended(before, counted, next, DRAIN_TIMEOUT, now);
        return new Transition(before, after, DRAIN_TIMEOUT, before.drain().deadline(), now);
    }

    /** The end of a drain is the word of who asked for the drain, also where its time ran out. */
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

    /**
     * Returns whether the deadline has passed. After an outage of the registry itself an agent that drained before has time to send a heartbeat
     * again.
     */
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
