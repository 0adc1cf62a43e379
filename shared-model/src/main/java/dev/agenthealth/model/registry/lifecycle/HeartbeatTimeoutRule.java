package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.HEARTBEAT_TIMEOUT;

import java.time.Instant;
import java.util.Optional;

/**
 * Decides when missing heartbeats change an agent's lifecycle status (RFC-0016 §4.5). An agent without heartbeat for longer than
 * {@code unhealthy_after_seconds} becomes unhealthy, and it may still recover with one heartbeat. After {@code dead_after_seconds} without
 * heartbeat, the agent becomes dead and has to register again. Both thresholds are strict: a heartbeat exactly at the threshold is in time.
 *
 * <p>The time without heartbeat is measured only with receipt times on the server's clock, never with times from the agent. It counts from the last
 * heartbeat or from the start of the grace period, whichever is later. So heartbeats that the registry could not receive during an outage never count
 * against an agent. {@link HeartbeatConfig} turns a last sign of life into the two moments. For an agent with a schedule, these moments follow from
 * its next run instead of an interval.
 *
 * <p>The rule is a pure function. The sweep calls it for each row, and writes the resulting {@link Transition} only if the row is unchanged. So a
 * heartbeat that arrives at the same time wins. A draining agent is judged by its deadline and not by its heartbeats; see {@link DrainRule}.
 */
public final class HeartbeatTimeoutRule {

    private HeartbeatTimeoutRule() {}

    /** Returns whether the agent has been without heartbeat for longer than its unhealthy threshold, in any status. */
    public static boolean isSilent(Pulse pulse, Instant graceFrom, Instant now) {
        return now.isAfter(pulse.config().unhealthyFrom(seenAt(pulse, graceFrom)));
    }

    /** Returns whether an active or unhealthy agent has been without heartbeat for longer than its dead threshold. */
    public static boolean isDying(Pulse pulse, Instant graceFrom, Instant now) {
        return (pulse.status() == LifecycleStatus.ACTIVE || pulse.status() == LifecycleStatus.UNHEALTHY)
                && now.isAfter(pulse.config().deadFrom(seenAt(pulse, graceFrom)));
    }

    /**
     * Returns the next change that is due: active to unhealthy, or unhealthy to dead. An active agent past both thresholds takes two steps. Call this
     * method again with the result of the first step.
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
