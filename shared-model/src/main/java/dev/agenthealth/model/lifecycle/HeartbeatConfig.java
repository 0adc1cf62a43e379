package dev.agenthealth.model.lifecycle;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The interval of an agent's heartbeats, and the thresholds of its silence (RFC-0016 §1.1, §3.3), all in seconds.
 *
 * <p>An instance may hold any numbers; {@link #errors()} says which of them break a rule.
 *
 * @param stall when an agent that sends heartbeats is stalled
 */
public record HeartbeatConfig(int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds, StallConfig stall) {

    /** The thresholds of an agent that declares none. */
    public static final HeartbeatConfig DEFAULT = new HeartbeatConfig(30, 90, 300);

    /** The longest interval: one day. */
    public static final int MAX_INTERVAL_SECONDS = 86_400;

    /** The longest threshold: thirty days. */
    public static final int MAX_THRESHOLD_SECONDS = 30 * 86_400;

    /** Thresholds of silence alone. */
    public HeartbeatConfig(int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds) {
        this(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, StallConfig.NONE);
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

    /** The same thresholds of silence with another declaration of stalls. */
    public HeartbeatConfig with(StallConfig newStall) {
        return new HeartbeatConfig(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, newStall);
    }

    /** Time between two heartbeats. */
    public Duration interval() {
        return Duration.ofSeconds(intervalSeconds);
    }

    /** Silence longer than this makes an agent unhealthy. */
    public Duration unhealthyAfter() {
        return Duration.ofSeconds(unhealthyAfterSeconds);
    }

    /** Silence longer than this makes an agent dead. */
    public Duration deadAfter() {
        return Duration.ofSeconds(deadAfterSeconds);
    }

    private static FieldError error(String field, String message) {
        return new FieldError("heartbeat_config." + field, message);
    }
}
