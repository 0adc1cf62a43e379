package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleReason.HEARTBEAT_RESUMED;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides how a heartbeat changes the agent's lifecycle status (RFC-0016 §4.4, §4.5). */
public final class HeartbeatRule {

    /** By so much the clocks of two instances may differ, one an hour ahead and one behind; a time further ahead is a mistake, and replaced. */
    public static final Duration MAX_DIFFERENCE = Duration.ofHours(2);

    private HeartbeatRule() {}

    /**
     * Returns when the agent was heard last after one more heartbeat: one that others overtook, or that a clock behind theirs received, takes nothing back.
     *
     * @param last when it was heard before
     * @param now when the heartbeat was received
     */
    public static Instant heardAt(Instant last, Instant now) {
        return last.isAfter(now) && !last.isAfter(now.plus(MAX_DIFFERENCE)) ? last : now;
    }

    /**
     * The change of status that this heartbeat causes: recovery of an unhealthy agent, or the start of a drain that the agent
     * announces, from active or unhealthy in one step. Empty where the heartbeat is merely counted: an active agent that says
     * active, and a draining one whatever it says.
     *
     * @param pulse a monitored agent, as it was before the heartbeat
     * @throws IllegalArgumentException for an agent that is gone: its heartbeats are refused, not applied
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
     * Returns how far the agent's clock is from the server's: positive when the agent's is ahead; zero where its time is
     * unknown.
     */
    public static Duration drift(Heartbeat heartbeat, Instant receivedAt) {
        return heartbeat.tellsTime() ? Duration.between(receivedAt, heartbeat.clientTimestamp()) : Duration.ZERO;
    }

    /** Returns whether the drift exceeds twice the interval (RFC-0016 §4.5): worth a warning, never a decision. */
    public static boolean isDrifting(Heartbeat heartbeat, HeartbeatConfig config, Instant receivedAt) {
        return drift(heartbeat, receivedAt).abs().compareTo(config.interval().multipliedBy(2)) > 0;
    }

    private static Transition startDrain(Pulse before, Pulse counted, Instant now) {
        Duration timeout = before.coordination().timeoutOfNextDrain();
        Transition start = DrainRule.start(counted, timeout, before.owner().keyId(), true, now);
        return Transition.now(before, start.after(), start.reason(), now);
    }
}
