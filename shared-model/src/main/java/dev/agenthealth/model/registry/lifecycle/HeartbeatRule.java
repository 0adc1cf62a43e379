package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.HEARTBEAT_RESUMED;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides how a heartbeat changes the agent's lifecycle status (RFC-0016 §4.4, §4.5). */
public final class HeartbeatRule {

    /**
     * The maximum difference between the clocks of two instances, one an hour ahead and one an hour behind. A time further ahead is an error and is
     * replaced.
     */
    public static final Duration MAX_DIFFERENCE = Duration.ofHours(2);

    private HeartbeatRule() {}

    /**
     * Returns the time of the last heartbeat after one more heartbeat. A delayed heartbeat never moves this time back.
     *
     * @param last the time of the last heartbeat so far
     * @param now the receipt of this heartbeat
     */
    public static Instant heardAt(Instant last, Instant now) {
        return last.isAfter(now) && !last.isAfter(now.plus(MAX_DIFFERENCE)) ? last : now;
    }

    /**
     * Returns the status change that this heartbeat causes: the recovery of an unhealthy agent, or the beginning of a drain that the agent
     * announces, from active or unhealthy in one step. Empty if the heartbeat changes no status.
     *
     * @param pulse the pulse of a monitored agent, as it was before the heartbeat
     * @throws IllegalArgumentException for an agent that is gone, as its heartbeats are refused
     */
    public static Optional<Transition> change(Pulse pulse, Heartbeat heartbeat, Instant now) {
        Pulse counted = pulse.withHeartbeat(heartbeat, now);
        return switch (pulse.status()) {
            case ACTIVE -> heartbeat.draining() ? Optional.of(startDrain(pulse, counted, now)) : Optional.empty();
            case UNHEALTHY ->
                Optional.of(
                        heartbeat.draining()
                                ? startDrain(pulse, counted, now)
                                : Transition.now(
                                        pulse,
                                        counted.withStatus(LifecycleStatus.ACTIVE, Drain.NONE, now),
                                        HEARTBEAT_RESUMED,
                                        now));
            case DRAINING -> Optional.empty();
            case REGISTERING, DEAD, DEREGISTERED ->
                throw new IllegalArgumentException(
                        "an agent that is " + pulse.status().wireName() + " sends no heartbeats");
        };
    }

    /**
     * Returns the difference between the agent's clock and the server's clock. It is positive if the agent's clock is ahead, and zero if its time
     * is unknown.
     */
    public static Duration drift(Heartbeat heartbeat, Instant receivedAt) {
        return heartbeat.tellsTime() ? Duration.between(receivedAt, heartbeat.clientTimestamp()) : Duration.ZERO;
    }

    /** Returns whether the drift exceeds twice the interval (RFC-0016 §4.5). Drift causes a warning and never a status change. */
    public static boolean isDrifting(Heartbeat heartbeat, HeartbeatConfig config, Instant receivedAt) {
        Duration drift = drift(heartbeat, receivedAt);
        // Sums allocate nothing worth mentioning on the path of a heartbeat; Duration.abs and multipliedBy use decimal
        // numbers.
        Duration limit = config.interval().plus(config.interval());
        return drift.compareTo(limit) > 0 || drift.plus(limit).isNegative();
    }

    private static Transition startDrain(Pulse before, Pulse counted, Instant now) {
        Duration timeout = before.coordination().timeoutOfNextDrain();
        Transition start = DrainRule.start(counted, timeout, before.owner().keyId(), true, now);
        return Transition.now(before, start.after(), start.reason(), now);
    }
}
