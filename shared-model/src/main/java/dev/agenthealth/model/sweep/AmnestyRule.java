package dev.agenthealth.model.sweep;

import java.time.Duration;
import java.time.Instant;

/**
 * When the time before a moment is forgiven because nobody was listening: after a gap in sweeping, counted from when passes
 * start, so that a pass that always fails does not forgive for ever.
 */
public final class AmnestyRule {

    private static final Duration SHORTEST_GAP = Duration.ofSeconds(10);

    private AmnestyRule() {}

    /** Whether the last pass started longer ago than {@link #longestPause}. */
    public static boolean isGap(Instant lastPassStartedAt, Duration tick, Instant now) {
        return Duration.between(lastPassStartedAt, now).compareTo(longestPause(tick)) > 0;
    }

    /** How far apart two passes may start without a gap in sweeping: max(2 ticks, 10 s). */
    public static Duration longestPause(Duration tick) {
        Duration twoTicks = tick.multipliedBy(2);
        return twoTicks.compareTo(SHORTEST_GAP) > 0 ? twoTicks : SHORTEST_GAP;
    }
}
