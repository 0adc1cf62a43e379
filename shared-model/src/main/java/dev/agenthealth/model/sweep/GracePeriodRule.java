package dev.agenthealth.model.sweep;

import java.time.Duration;

/**
 * Decides when a grace period begins: after a gap between two passes, in which no pass looked for missing heartbeats. The gap counts from the starts
 * of passes, so that a pass that always fails does not extend the grace period forever.
 */
public final class GracePeriodRule {

    private static final Duration MIN_GAP = Duration.ofSeconds(10);

    private GracePeriodRule() {}

    /** Returns the maximum time between the starts of two passes of one invocation without a gap: max(2 ticks, 10 s). */
    public static Duration maxPause(Duration tick) {
        return longer(tick.multipliedBy(2), MIN_GAP);
    }

    /**
     * Returns the maximum time between the last pass and the first pass of an invocation without a gap. A schedule may be late by its own period.
     * With several passes per minute, that is more than two ticks. Without this allowance, there would always be a grace period, and no agent would
     * ever be marked as dead.
     *
     * @param period the time between two invocations
     */
    public static Duration maxPauseBefore(Duration tick, Duration period) {
        return longer(maxPause(tick), tick.plus(period));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
