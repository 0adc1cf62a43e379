package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when an agent is stalled: alive by its heartbeats, but without progress for longer than it declares.
 *
 * <p>The last heartbeat proves it. What an agent does after that is unknown, so that neither silence nor an outage of the registry makes an
 * agent stalled. Thresholds are strict, like those of silence.
 */
public final class StallRule {

    /** The time between two spans of an agent that are stored as progress. */
    static final Duration SPAN_RESOLUTION = Duration.ofSeconds(30);

    private StallRule() {}

    /**
     * Returns whether a span that ended is stored as progress of the task that the last heartbeat reported: the agent declares stalls, and the span
     * ended after the task's last progress and {@link #SPAN_RESOLUTION} after the last one that was stored.
     */
    public static boolean isProgress(Pulse pulse, Instant spanEndedAt) {
        Activity activity = pulse.activity();
        return !pulse.config().stall().afterSeconds().isEmpty()
                && activity.isRunning()
                && !pulse.status().hasEnded()
                && spanEndedAt.isAfter(activity.reportedAt())
                && !spanEndedAt.isBefore(activity.spanEndedAt().plus(SPAN_RESOLUTION));
    }

    /** The level by the last heartbeat; {@link StallLevel#NONE} where no task runs, its phase is not judged, or the agent is gone. */
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

    /** Since when the agent is stalled: its last progress and the declared time later; empty where it is not. */
    public static Optional<Instant> since(Pulse pulse) {
        return pulse.config()
                .stall()
                .after(pulse.activity().phase())
                .filter(after -> isStalled(pulse))
                .map(pulse.activity().lastProgressAt()::plus);
    }

    /**
     * The change that is to be published: a stall that begins or gets worse, or one that is over. A stall of a silent agent, and one that
     * was last seen before the grace period, stays as it is.
     *
     * @param graceFrom heartbeats up to this moment prove nothing new
     */
    public static Optional<StallChange> due(Pulse pulse, Instant graceFrom, Instant now) {
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
        if (level == StallLevel.NONE) {
            return published.isOpen()
                    ? Optional.of(over(
                            pulse,
                            pulse.activity().isRunning() ? StallChange.Reason.PROGRESS : StallChange.Reason.TASK_ENDED,
                            now))
                    : Optional.empty();
        }
        return level.compareTo(published.level()) > 0 ? Optional.of(begun(pulse, level, now)) : Optional.empty();
    }

    private static StallChange begun(Pulse pulse, StallLevel level, Instant now) {
        PublishedStall stall = new PublishedStall(
                level,
                pulse.activity().phase(),
                since(pulse).orElseThrow(),
                pulse.config().stall().releasesLeases());
        boolean asksToRestart = pulse.config().stall().restarts()
                && pulse.status() == LifecycleStatus.ACTIVE
                && !pulse.stall().isOpen()
                && !pulse.coordination().pendingDrain().isPending();
        Pulse after = pulse.withStall(stall);
        return new StallChange(
                pulse,
                asksToRestart ? after.withPendingDrain(restart(pulse)) : after,
                StallChange.Reason.NO_PROGRESS,
                now);
    }

    private static PendingDrain restart(Pulse pulse) {
        return new PendingDrain("stalled", pulse.coordination().drainTimeout(), PendingDrain.REGISTRY, true);
    }

    private static StallChange over(Pulse pulse, StallChange.Reason reason, Instant now) {
        return new StallChange(pulse, pulse.withStall(PublishedStall.NONE), reason, now);
    }
}
