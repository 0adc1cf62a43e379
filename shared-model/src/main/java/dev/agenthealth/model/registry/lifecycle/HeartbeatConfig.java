package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The interval of an agent's heartbeats, the thresholds of its silence (RFC-0016 §1.1, §3.3), all in seconds, and how else it shows that it
 * lives.
 *
 * <p>An instance may hold any numbers; {@link #errors()} says which of them break a rule.
 *
 * @param stall when an agent that sends heartbeats is stalled
 * @param lifeSigns how else it shows that it lives
 */
public record HeartbeatConfig(
        int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds, StallConfig stall, LifeSigns lifeSigns) {

    /** The thresholds of an agent that declares none. */
    public static final HeartbeatConfig DEFAULT = new HeartbeatConfig(30, 90, 300);

    /** The longest interval: one day. */
    public static final int MAX_INTERVAL_SECONDS = 86_400;

    /** The longest threshold: thirty days. */
    public static final int MAX_THRESHOLD_SECONDS = 30 * 86_400;

    /** The thresholds of an agent that sends heartbeats at an interval. */
    public HeartbeatConfig(int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds) {
        this(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, StallConfig.NONE);
    }

    /** The thresholds of an agent that sends heartbeats at an interval and says what makes it stalled. */
    public HeartbeatConfig(int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds, StallConfig stall) {
        this(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, stall, LifeSigns.HEARTBEATS);
    }

    /** Returns the same thresholds of an agent that shows in another way that it lives. */
    public HeartbeatConfig with(LifeSigns signs) {
        return new HeartbeatConfig(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, stall, signs);
    }

    /** Every rule that these numbers break, with field names below {@code heartbeat_config}; empty when they are valid. */
    public List<FieldError> errors() {
        List<FieldError> errors = new ArrayList<>();
        if (intervalSeconds < 1 || intervalSeconds > MAX_INTERVAL_SECONDS) {
            errors.add(error("interval_seconds", "must be from 1 to " + MAX_INTERVAL_SECONDS));
        }
        if (unhealthyAfterSeconds < 2L * intervalSeconds) {
            errors.add(error(
                    "unhealthy_after_seconds",
                    "must be at least 2 x interval_seconds (" + intervalSeconds + "), but is "
                            + unhealthyAfterSeconds));
        } else if (unhealthyAfterSeconds > MAX_THRESHOLD_SECONDS) {
            errors.add(error("unhealthy_after_seconds", "must be at most " + MAX_THRESHOLD_SECONDS));
        }
        if (deadAfterSeconds < 2L * unhealthyAfterSeconds) {
            errors.add(error(
                    "dead_after_seconds",
                    "must be at least 2 x unhealthy_after_seconds (" + unhealthyAfterSeconds + "), but is "
                            + deadAfterSeconds));
        } else if (deadAfterSeconds > MAX_THRESHOLD_SECONDS) {
            errors.add(error("dead_after_seconds", "must be at most " + MAX_THRESHOLD_SECONDS));
        }
        errors.addAll(stall.errors());
        return List.copyOf(errors);
    }

    /** Returns these thresholds of silence with another declaration of stalls. */
    public HeartbeatConfig with(StallConfig newStall) {
        return new HeartbeatConfig(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, newStall, lifeSigns);
    }

    /** Time between two heartbeats. */
    public Duration interval() {
        return Duration.ofSeconds(intervalSeconds);
    }

    /** Silence longer than this makes an agent unhealthy that sends heartbeats at an interval. */
    public Duration unhealthyAfter() {
        return Duration.ofSeconds(unhealthyAfterSeconds);
    }

    /** Silence longer than this makes an agent dead that sends heartbeats at an interval. */
    public Duration deadAfter() {
        return Duration.ofSeconds(deadAfterSeconds);
    }

    /** Returns whether heartbeats are expected at the interval: neither by a schedule nor never. */
    public boolean isPeriodic() {
        return expectsSigns() && lifeSigns.schedule().isEmpty();
    }

    /** Returns whether silence is a fault. */
    public boolean expectsSigns() {
        return lifeSigns.mode() != LifeSigns.Mode.NONE;
    }

    /** Returns when an agent of a schedule is to run next that was last seen at {@code seenAt}; empty without a schedule. */
    public Optional<Instant> expectedAfter(Instant seenAt) {
        return lifeSigns.schedule().map(schedule -> schedule.expectedAfter(seenAt));
    }

    /** Returns the moment after which an agent that was last seen at {@code seenAt} is unhealthy; {@link Instant#MAX} for never. */
    public Instant unhealthyFrom(Instant seenAt) {
        if (!expectsSigns()) {
            return Instant.MAX;
        }
        return lifeSigns
                .schedule()
                .map(schedule -> schedule.expectedAfter(seenAt).plus(schedule.grace()))
                .orElseGet(() -> seenAt.plusSeconds(unhealthyAfterSeconds));
    }

    /**
     * Returns the moment after which an agent that was last seen at {@code seenAt} is dead; {@link Instant#MAX} for never. With a schedule,
     * {@code dead_after_seconds} counts from the end of its grace period.
     */
    public Instant deadFrom(Instant seenAt) {
        if (!expectsSigns()) {
            return Instant.MAX;
        }
        return (isPeriodic() ? seenAt : unhealthyFrom(seenAt)).plusSeconds(deadAfterSeconds);
    }

    private static FieldError error(String field, String message) {
        return new FieldError("heartbeat_config." + field, message);
    }
}
