package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when an agent is looping: it repeats the same calls within one execution at least as often as its declaration says.
 *
 * <p>The agent reports repetitions in its heartbeats, or the registry finds them in the agent's spans. The larger number counts.
 */
public final class LoopRule {

    /** The multiple of the declared number from which an agent is down. */
    static final int ERROR_FACTOR = 3;

    /** The time for which a repetition in spans counts after its last call, as the end of the execution may be lost. */
    public static final Duration MAX_AGE_OF_SPANS = Duration.ofHours(1);

    private LoopRule() {}

    /** Returns the repetition that counts: the larger one of the repetitions in the last heartbeat and in spans. */
    public static Repetition repetition(Pulse pulse) {
        Activity activity = pulse.activity();
        Repetition spans = activity.inSpans();
        boolean old = spans.lastAt().plus(MAX_AGE_OF_SPANS).isBefore(pulse.lastHeartbeatAt());
        return old || spans.repeats() <= activity.repeated().repeats() ? activity.repeated() : spans;
    }

    /** Returns the level of the loop; {@link StallLevel#NONE} without a declaration, and if the agent is gone. */
    public static StallLevel level(Pulse pulse) {
        return pulse.status().hasEnded()
                ? StallLevel.NONE
                : level(pulse.config().loop(), repetition(pulse));
    }

    private static StallLevel level(LoopConfig config, Repetition repetition) {
        if (!config.isJudged() || repetition.repeats() < config.maxRepeats()) {
            return StallLevel.NONE;
        }
        return repetition.repeats() < ERROR_FACTOR * config.maxRepeats() ? StallLevel.WARNING : StallLevel.ERROR;
    }

    /** Returns whether the agent is looping. */
    public static boolean isLooping(Pulse pulse) {
        return level(pulse) != StallLevel.NONE;
    }

    /** Returns the beginning of the loop: its first call; empty if the agent is not looping. */
    public static Optional<Instant> since(Pulse pulse) {
        return isLooping(pulse) ? Optional.of(repetition(pulse).since()) : Optional.empty();
    }

    /** Returns whether the registry looks for repeated calls in the spans of an agent: they decide about loops, or must not count as progress. */
    public static boolean readsCalls(Pulse pulse) {
        return !pulse.status().hasEnded()
                && (pulse.config().loop().isJudged()
                        || !pulse.config().stall().afterSeconds().isEmpty());
    }

    /** Returns whether the row of an agent has to store a repetition in its spans: the level changes, or the stored loop is older than spans of progress. */
    public static boolean isStored(Pulse pulse, Repetition inSpans) {
        Repetition stored = pulse.activity().inSpans();
        StallLevel before = level(pulse.config().loop(), stored);
        StallLevel after = level(pulse.config().loop(), inSpans);
        return !pulse.status().hasEnded()
                && (before != after
                        || after != StallLevel.NONE
                                && !inSpans.lastAt().isBefore(stored.lastAt().plus(StallRule.SPAN_RESOLUTION)));
    }

    /**
     * Returns the change that is due: a loop that begins, gets worse or is over. Another loop ends the published loop first. The loop of an unhealthy
     * agent does not change.
     *
     * <p>A loop that began as a part of a provider's problem is published again when it outlives that problem.
     *
     * @param shared whether a problem of a model provider concerns the agent
     */
    public static Optional<LoopChange> due(Pulse pulse, boolean shared, Instant now) {
        PublishedLoop published = pulse.loop();
        if (pulse.status() == LifecycleStatus.UNHEALTHY) {
            return Optional.empty();
        }
        StallLevel level = level(pulse);
        if (level == StallLevel.NONE || published.isOpen() && isAnother(repetition(pulse), published)) {
            return published.isOpen()
                    ? Optional.of(new LoopChange(pulse, pulse.withLoop(PublishedLoop.NONE), now))
                    : Optional.empty();
        }
        return level.compareTo(published.level()) > 0 || published.shared() && !shared
                ? Optional.of(begun(pulse, level, shared, now))
                : Optional.empty();
    }

    /**
     * Returns whether a repetition is no part of the published loop. The number of a loop never falls. A loop may repeat several tools in turn, and
     * begins only once.
     */
    private static boolean isAnother(Repetition repetition, PublishedLoop published) {
        return repetition.repeats() < published.repeats()
                || !repetition.tool().equals(published.tool())
                        && repetition.since().isAfter(published.since().plus(WaitingRule.TOLERANCE));
    }

    private static LoopChange begun(Pulse pulse, StallLevel level, boolean shared, Instant now) {
        Repetition repetition = repetition(pulse);
        Pulse after = pulse.withLoop(new PublishedLoop(
                level,
                repetition.repeats(),
                repetition.tool(),
                repetition.since(),
                pulse.config().loop().releasesLeases(),
                shared));
        boolean restarts = pulse.config().loop().restarts() && !pulse.loop().isOpen();
        return new LoopChange(pulse, restarts ? StallRule.askedToRestart(after, "looping") : after, now);
    }
}
