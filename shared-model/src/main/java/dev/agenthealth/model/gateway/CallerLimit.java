package dev.agenthealth.model.gateway;

import java.time.Duration;

/**
 * The limit for the invocations of one caller, by the generic cell rate algorithm. The state of a caller is a single number: the moment at which
 * its whole allowance is available again.
 *
 *
 * @param perSecond the sustained number of invocations per second
 * @param burst the number of invocations at once after a pause
 */
public record CallerLimit(int perSecond, int burst) {

    /** The default: 10 per second and 20 at once. */
    public static final CallerLimit DEFAULT = new CallerLimit(10, 20);

    private static final long MICROS_PER_SECOND = 1_000_000;

    /** The maximum difference of the clocks of hosts that count together. */
    private static final long CLOCKS_DIFFER = 60 * MICROS_PER_SECOND;

    /** Returns the time that one invocation uses, in microseconds. It is rounded up, so that a caller never exceeds the limit. */
    public long spacing() {
        return (MICROS_PER_SECOND + perSecond - 1) / perSecond;
    }

    /** Returns the latest moment of complete availability at which one more invocation is admitted. */
    public long latest(long now) {
        return now + (burst - 1) * spacing();
    }

    /**
     * Returns the latest moment of complete availability that this limit can lead to. A later one comes from an earlier limit or a wrong clock and
     * is ignored, so that no caller is refused for too long.
     */
    public long farthest(long now) {
        return latest(now) + spacing() + CLOCKS_DIFFER;
    }

    /** Returns the time until a refused caller is admitted again. */
    public Duration wait(long availableAt, long now) {
        return Duration.ofNanos(Math.max(0, availableAt - latest(now)) * 1_000);
    }

    /** Returns the time after which a used-up limit allows {@link #burst} invocations at once again. */
    public Duration window() {
        return Duration.ofNanos(burst * spacing() * 1_000);
    }
}
