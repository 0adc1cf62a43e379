package dev.agenthealth.model.registry.lifecycle;

import dev.agenthealth.model.FieldError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The heartbeat interval of an agent and its heartbeat timeouts (RFC-0016 §1.1, §3.3), all in seconds, and its other signs of life.
 *
 * <p>An instance may hold any numbers; {@link #errors()} says which of them break a rule.
 *
 * @param stall the conditions under which a live agent counts as stalled
 * @param lifeSigns the other ways in which the agent shows that it is alive
 * @param loop the number of repeated calls from which the agent counts as looping
 */
public record HeartbeatConfig(
        int intervalSeconds,
        int unhealthyAfterSeconds,
        int deadAfterSeconds,
        StallConfig stall,
        LifeSigns lifeSigns,
        LoopConfig loop) {

    /** The thresholds if the agent declares none. */
    public static final HeartbeatConfig DEFAULT = new HeartbeatConfig(30, 90, 300);

    /** The maximum interval: one day. */
    public static final int MAX_INTERVAL_SECONDS = 86_400;

    /** The maximum threshold: thirty days. */
    public static final int MAX_THRESHOLD_SECONDS = 30 * 86_400;

    /** Creates the thresholds of an agent that sends heartbeats at an interval. */
    public HeartbeatConfig(int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds) {
        this(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, StallConfig.NONE);
    }

    /** Creates the thresholds of an agent that sends heartbeats at an interval, with its declaration of stalls. */
    public HeartbeatConfig(int intervalSeconds, int unhealthyAfterSeconds, int deadAfterSeconds, StallConfig stall) {
        this(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, stall, LifeSigns.HEARTBEATS);
    }

    /** Creates the thresholds of an agent that sends heartbeats at an interval, with its declaration of stalls and its other signs of life. */
    public HeartbeatConfig(
            int intervalSeconds,
            int unhealthyAfterSeconds,
            int deadAfterSeconds,
            StallConfig stall,
            LifeSigns lifeSigns) {
        this(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, stall, lifeSigns, LoopConfig.NONE);
    }

    /** Returns the same thresholds with other signs of life. */
    public HeartbeatConfig with(LifeSigns signs) {
        return new HeartbeatConfig(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, stall, signs, loop);
    }

    /** Returns the rules that these numbers break, with field names below {@code heartbeat_config}; empty if the numbers are valid. */
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
        errors.addAll(loop.errors());
        return List.copyOf(errors);
    }

    /** Returns this configuration with another declaration of stalls. */
    public HeartbeatConfig with(StallConfig newStall) {
        return new HeartbeatConfig(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, newStall, lifeSigns, loop);
    }

    /** Returns this configuration with another declaration of loops. */
    public HeartbeatConfig with(LoopConfig newLoop) {
        return new HeartbeatConfig(intervalSeconds, unhealthyAfterSeconds, deadAfterSeconds, stall, lifeSigns, newLoop);
    }

    /** Returns the time between two heartbeats. */
    public Duration interval() {
        return Duration.ofSeconds(intervalSeconds);
    }

    /** Returns the time without heartbeat after which an agent with an interval becomes unhealthy. */
    public Duration unhealthyAfter() {
        return Duration.ofSeconds(unhealthyAfterSeconds);
    }

    /** Returns the time without heartbeat after which an agent with an interval becomes dead. */
    public Duration deadAfter() {
        return Duration.ofSeconds(deadAfterSeconds);
    }

    /** Returns whether heartbeats are expected at the interval. They are not for an agent with a schedule, or if missing heartbeats are no fault. */
    public boolean isPeriodic() {
        return expectsSigns() && lifeSigns.schedule().isEmpty();
    }

    /** Returns whether missing heartbeats are a fault. */
    public boolean expectsSigns() {
        return lifeSigns.mode() != LifeSigns.Mode.NONE;
    }

    /** Returns the next expected run of an agent with a schedule, if its last sign of life was at {@code seenAt}; empty without a schedule. */
    public Optional<Instant> expectedAfter(Instant seenAt) {
        return lifeSigns.schedule().map(schedule -> schedule.expectedAfter(seenAt));
    }

    /** Returns the moment after which an agent becomes unhealthy, if its last sign of life was at {@code seenAt}; {@link Instant#MAX} for never. */
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
     * Returns the moment after which an agent becomes dead, if its last sign of life was at {@code seenAt}; {@link Instant#MAX} for never. With a
     * schedule, {@code dead_after_seconds} counts from the end of the grace period.
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
