package dev.agenthealth.model.sweep;

import java.time.Duration;

/**
 * Decides when a grace period begins because silence was not observed: after a gap between passes, counted from their starts, so that a pass that
 * always fails does not extend the grace period forever.
 */
public final class GracePeriodRule {

    private static final Duration MIN_GAP = Duration.ofSeconds(10);

    private GracePeriodRule() {}

    /** Maximum time between the starts of two passes of one invocation without a gap in sweeping: max(2 ticks, 10 s). */
    public static Duration maxPause(Duration tick) {
        return longer(tick.multipliedBy(2), MIN_GAP);
    }

    /**
     * Maximum time between the last pass and the first one of an invocation without a gap in sweeping. A schedule may be late by as much as its
     * own period: with several passes a minute that is more than two ticks, and with a grace period each time no agent would ever be marked as dead.
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
