package dev.agenthealth.model;

import java.time.Duration;
import java.time.Instant;

/**
 * Bounds the instants that the registry stores and later compares with its clock. A clock that ran ahead for some seconds leaves instants that no
 * right clock could have written. This rule prevents that such an instant delays anything, like the detection of missing heartbeats, a probe or a
 * message.
 *
 * <p>Each stored instant has a maximum by design: how far it may be ahead of the clock. The maximum is zero for the time of something that
 * happened, and the length of the period for its end. Section "Clocks" of {@code docs/reliability.md} lists every stored instant.
 */
public final class ClockRule {

    /** The tolerated difference between two clocks, or step of one clock. */
    public static final Duration MAX_SKEW = Duration.ofSeconds(2);

    /** The maximum time between the clock of a pass and a row that another server writes during the pass. */
    public static final Duration MAX_PASS = Duration.ofMinutes(2);

    private ClockRule() {}

    /**
     * Returns whether an instant is further ahead than its maximum by design.
     *
     * @param maxAhead the maximum by design; zero for the time of something that happened
     */
    public static boolean isTooFarAhead(Instant stored, Duration maxAhead, Instant now) {
        return stored.isAfter(now.plus(maxAhead).plus(MAX_SKEW));
    }

    /** Returns the stored instant, or now if it is further ahead than its maximum by design. */
    public static Instant bounded(Instant stored, Duration maxAhead, Instant now) {
        return isTooFarAhead(stored, maxAhead, now) ? now : stored;
    }

    /**
     * Returns whether a period has passed since something happened. If the start lies in the future, the clock that wrote it was ahead. The elapsed
     * time is then unknown, and the period counts as over.
     */
    public static boolean hasPassed(Instant since, Duration period, Instant now) {
        return isTooFarAhead(since, Duration.ZERO, now) || !now.isBefore(since.plus(period));
    }

    /**
     * Returns whether something that ends at a moment still holds, such as an entry of a cache, a claim or a lease. It does not hold if the end is
     * further ahead than the longest period.
     */
    public static boolean holds(Instant until, Duration longest, Instant now) {
        return now.isBefore(until) && !isTooFarAhead(until, longest, now);
    }

    /** Returns whether the difference between a clock and the elapsed time is a step of the clock. */
    public static boolean isStep(Duration difference) {
        return difference.abs().compareTo(MAX_SKEW) > 0;
    }
}
