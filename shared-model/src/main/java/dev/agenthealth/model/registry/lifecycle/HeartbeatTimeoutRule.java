package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.HEARTBEAT_TIMEOUT;

import java.time.Instant;
import java.util.Optional;

/**
 * Decides when silence becomes a change of status (RFC-0016 §4.5): by the server's receipt times only, with strict thresholds.
 *
 * <p>Silence counts from the last heartbeat or from the start of the grace period, whichever is later: heartbeats that the
 * registry could not receive never count against an agent. What silence means is said by {@link HeartbeatConfig}: for an agent that runs by a
 * schedule, that a run is overdue. A draining agent is not judged by its silence but by its deadline.
 */
public final class HeartbeatTimeoutRule {

    private HeartbeatTimeoutRule() {}

    /** Returns whether the agent has been silent for longer than its unhealthy threshold, whatever its status. */
    public static boolean isSilent(Pulse pulse, Instant graceFrom, Instant now) {
        return now.isAfter(pulse.config().unhealthyFrom(seenAt(pulse, graceFrom)));
    }

    /** Returns whether the agent has been silent for long enough to die, by way of unhealthy where it is still active. */
    public static boolean isDying(Pulse pulse, Instant graceFrom, Instant now) {
        return (pulse.status() == LifecycleStatus.ACTIVE || pulse.status() == LifecycleStatus.UNHEALTHY)
                && now.isAfter(pulse.config().deadFrom(seenAt(pulse, graceFrom)));
    }

    /**
     * The next change that is due: active to unhealthy, or unhealthy to dead. An active agent silent beyond both thresholds
     * takes two steps: call this again with the first step's result.
     */
    public static Optional<Transition> due(Pulse pulse, Instant graceFrom, Instant now) {
        return switch (pulse.status()) {
            case ACTIVE ->
                step(pulse, LifecycleStatus.UNHEALTHY, pulse.config().unhealthyFrom(seenAt(pulse, graceFrom)), now);
            case UNHEALTHY -> step(pulse, LifecycleStatus.DEAD, pulse.config().deadFrom(seenAt(pulse, graceFrom)), now);
            case REGISTERING, DRAINING, DEAD, DEREGISTERED -> Optional.empty();
        };
    }

    private static Optional<Transition> step(Pulse pulse, LifecycleStatus next, Instant dueAt, Instant now) {
        if (!now.isAfter(dueAt)) {
            return Optional.empty();
        }
        Pulse silent = pulse.withStatus(next, Drain.NONE, now);
        Pulse after = next.hasEnded() ? silent.ended(EndedBy.REGISTRY, HEARTBEAT_TIMEOUT) : silent;
        return Optional.of(new Transition(pulse, after, HEARTBEAT_TIMEOUT, dueAt, now));
    }

    private static Instant seenAt(Pulse pulse, Instant graceFrom) {
        return pulse.lastHeartbeatAt().isAfter(graceFrom) ? pulse.lastHeartbeatAt() : graceFrom;
    }
}
