package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when an agent is stalled: its heartbeats show that it is alive, but it makes no progress for longer than declared.
 *
 * <p>Only the last heartbeat proves a stall. The time after it is unknown, so neither missing heartbeats nor an outage of the registry makes an agent
 * stalled. Thresholds are strict, like heartbeat timeouts.
 */
public final class StallRule {

    /** The minimum time between two spans of an agent that are stored as progress. */
    static final Duration SPAN_RESOLUTION = Duration.ofSeconds(30);

    private StallRule() {}

    /**
     * Returns whether a span is stored as progress of the task that the last heartbeat reported. The agent must declare stalls. The span must have
     * ended after the task's last progress, and {@link #SPAN_RESOLUTION} after the last stored span.
     */
    public static boolean isProgress(Pulse pulse, Instant spanEndedAt) {
        Activity activity = pulse.activity();
        return !pulse.config().stall().afterSeconds().isEmpty()
                && activity.isRunning()
                && !pulse.status().hasEnded()
                && spanEndedAt.isAfter(activity.reportedAt())
                && !spanEndedAt.isBefore(activity.spanEndedAt().plus(SPAN_RESOLUTION));
    }

    /** Returns the level by the last heartbeat; {@link StallLevel#NONE} if no task runs, its phase has no declared time, or the agent is gone. */
    public static StallLevel level(Pulse pulse) {
        Activity activity = pulse.activity();
        Optional<Duration> after = pulse.config().stall().after(activity.phase());
        if (!activity.isRunning() || pulse.status().hasEnded() || after.isEmpty()) {
            return StallLevel.NONE;
        }
        Duration age = Duration.between(activity.lastProgressAt(), pulse.lastHeartbeatAt());
        if (age.compareTo(after.get().multipliedBy(2)) > 0) {
            return StallLevel.ERROR;
        }
        return age.compareTo(after.get()) > 0 ? StallLevel.WARNING : StallLevel.NONE;
    }

    /** Returns whether the agent is stalled. */
    public static boolean isStalled(Pulse pulse) {
        return level(pulse) != StallLevel.NONE;
    }

    /** Returns the beginning of the stall: the declared time after the last progress; empty if the agent is not stalled. */
    public static Optional<Instant> since(Pulse pulse) {
        return isStalled(pulse)
                ? pulse.config()
                        .stall()
                        .after(pulse.activity().phase())
                        .map(pulse.activity().lastProgressAt()::plus)
                : Optional.empty();
    }

    /**
     * Returns the change that is due: a stall that begins, gets worse or is over. Another stall ends the published stall first. The stall of an agent past its heartbeat timeout does not change,
     * nor does a stall of an agent without a heartbeat since the grace period began.
     *
     * <p>A stall that began as a part of a provider's problem is published again when it outlives that problem.
     *
     * @param graceFrom the start of the grace period; earlier heartbeats prove nothing new
     * @param shared whether a problem of a model provider concerns the agent
     */
    public static Optional<StallChange> due(Pulse pulse, Instant graceFrom, boolean shared, Instant now) {
        PublishedStall published = pulse.stall();
        if (pulse.status().hasEnded()) {
            return published.isOpen() ? Optional.of(over(pulse, StallChange.Reason.ENDED, now)) : Optional.empty();
        }
        if (pulse.status() == LifecycleStatus.UNHEALTHY
                || HeartbeatTimeoutRule.isSilent(pulse, graceFrom, now)
                || !pulse.lastHeartbeatAt().isAfter(graceFrom)) {
            return Optional.empty();
        }
        StallLevel level = level(pulse);
        if (level == StallLevel.NONE || published.isOpen() && isAnother(pulse, published)) {
            return published.isOpen()
                    ? Optional.of(over(
                            pulse,
                            pulse.activity().isRunning() ? StallChange.Reason.PROGRESS : StallChange.Reason.TASK_ENDED,
                            now))
                    : Optional.empty();
        }
        return level.compareTo(published.level()) > 0 || published.shared() && !shared
                ? Optional.of(begun(pulse, level, shared, now))
                : Optional.empty();
    }

    /** Returns whether the agent made progress after the published stall began, so that it is in another stall now. */
    private static boolean isAnother(Pulse pulse, PublishedStall published) {
        return pulse.activity().lastProgressAt().isAfter(published.since());
    }

    private static StallChange begun(Pulse pulse, StallLevel level, boolean shared, Instant now) {
        PublishedStall stall = new PublishedStall(
                level,
                pulse.activity().phase(),
                since(pulse).orElseThrow(),
                pulse.config().stall().releasesLeases(),
                shared);
        Pulse after = pulse.withStall(stall);
        boolean restarts = pulse.config().stall().restarts() && !pulse.stall().isOpen();
        return new StallChange(
                pulse, restarts ? askedToRestart(after, "stalled") : after, StallChange.Reason.NO_PROGRESS, now);
    }

    /** Returns the pulse of an agent that is asked to restart, unless it cannot be asked. */
    static Pulse askedToRestart(Pulse pulse, String reason) {
        return askedToDrain(pulse, reason, true);
    }

    /** Returns the pulse of an agent that is asked to drain, and possibly to restart, unless it cannot be asked. */
    static Pulse askedToDrain(Pulse pulse, String reason, boolean restarts) {
        return pulse.mayBeAskedToDrain()
                ? pulse.withPendingDrain(
                        new PendingDrain(reason, pulse.coordination().drainTimeout(), PendingDrain.REGISTRY, restarts))
                : pulse;
    }

    private static StallChange over(Pulse pulse, StallChange.Reason reason, Instant now) {
        return new StallChange(pulse, pulse.withStall(PublishedStall.NONE), reason, now);
    }
}
