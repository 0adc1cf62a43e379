package dev.agenthealth.model.lifecycle;

import static dev.agenthealth.model.lifecycle.LifecycleReason.HEARTBEAT_TIMEOUT;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when silence becomes a change of status (RFC-0016 §4.5): by the server's receipt times only, with strict thresholds.
 *
 * <p>Silence counts from the last heartbeat or from the start of the grace period, whichever is later: heartbeats that the
 * registry could not receive never count against an agent. A draining agent is not judged by its silence but by its deadline.
 */
public final class SilenceRule {

    private SilenceRule() {}

    /** Returns how long the agent has been silent; never negative. */
    public static Duration silence(Pulse pulse, Instant graceFrom, Instant now) {
        Duration silence = Duration.between(heardAt(pulse, graceFrom), now);
        return silence.isNegative() ? Duration.ZERO : silence;
    }

    /** Returns whether the agent has been silent for longer than its unhealthy threshold, whatever its status. */
    public static boolean isSilent(Pulse pulse, Instant graceFrom, Instant now) {
        return silence(pulse, graceFrom, now).compareTo(pulse.config().unhealthyAfter()) > 0;
    }

    /** Returns whether the agent has been silent for long enough to die, by way of unhealthy where it is still active. */
    public static boolean isDying(Pulse pulse, Instant graceFrom, Instant now) {
        return (pulse.status() == LifecycleStatus.ACTIVE || pulse.status() == LifecycleStatus.UNHEALTHY)
                && silence(pulse, graceFrom, now).compareTo(pulse.config().deadAfter()) > 0;
    }

    /**
     * The next change that is due: active to unhealthy, or unhealthy to dead. An active agent silent beyond both thresholds
     * takes two steps: call this again with the first step's result.
     */
    public static Optional<Transition> due(Pulse pulse, Instant graceFrom, Instant now) {
        return switch (pulse.status()) {
            case ACTIVE ->
                isSilent(pulse, graceFrom, now)
                        ? Optional.of(step(
                                pulse,
                                LifecycleStatus.UNHEALTHY,
                                graceFrom,
                                pulse.config().unhealthyAfter(),
                                now))
                        : Optional.empty();
            case UNHEALTHY ->
                isDying(pulse, graceFrom, now)
                        ? Optional.of(step(
                                pulse,
                                LifecycleStatus.DEAD,
                                graceFrom,
                                pulse.config().deadAfter(),
                                now))
                        : Optional.empty();
            case REGISTERING, DRAINING, DEAD, DEREGISTERED -> Optional.empty();
        };
    }

    private static Transition step(
            Pulse pulse, LifecycleStatus next, Instant graceFrom, Duration threshold, Instant now) {
        Pulse after = pulse.withStatus(next, Drain.NONE, now);
        return new Transition(
                pulse, after, HEARTBEAT_TIMEOUT, heardAt(pulse, graceFrom).plus(threshold), now);
    }

    private static Instant heardAt(Pulse pulse, Instant graceFrom) {
        return pulse.lastHeartbeatAt().isAfter(graceFrom) ? pulse.lastHeartbeatAt() : graceFrom;
    }
}
