package dev.agenthealth.model;

import java.time.Duration;
import java.time.Instant;

/**
 * Bounds the instants that the registry stores and compares with its clock later. A clock that ran ahead for some seconds leaves instants that no right
 * clock could have written. Such an instant never delays what depends on it: the detection of a silent agent, a probe, a message. Pure.
 *
 * <p>Each stored instant has a maximum by design: how far it may be ahead of the clock. The maximum is zero for the time at which something happened,
 * and the length of the period for its end. Section "Clocks" of {@code docs/reliability.md} lists every stored instant.
 */
public final class ClockRule {

    /** The difference between two clocks, or the step of one clock, that is tolerated. */
    public static final Duration MAX_SKEW = Duration.ofSeconds(2);

    /** Maximum time between the clock of a pass and a row that is written while the pass reads, on servers with clocks of their own. */
    public static final Duration MAX_PASS = Duration.ofMinutes(2);

    private ClockRule() {}

    /**
     * Returns whether an instant is further ahead than its maximum by design.
     *
     * @param maxAhead zero for the time at which something happened
     */
    public static boolean isTooFarAhead(Instant stored, Duration maxAhead, Instant now) {
        return stored.isAfter(now.plus(maxAhead).plus(MAX_SKEW));
    }

    /** Returns the stored instant, or now if that instant is further ahead than its maximum by design. */
    public static Instant bounded(Instant stored, Duration maxAhead, Instant now) {
        return isTooFarAhead(stored, maxAhead, now) ? now : stored;
    }

    /**
     * Returns whether a period has passed since something happened. The period is over if the start lies in the future: the clock that wrote the start
     * was ahead, so that nobody knows how long ago it was.
     */
    public static boolean hasPassed(Instant since, Duration period, Instant now) {
        return isTooFarAhead(since, Duration.ZERO, now) || !now.isBefore(since.plus(period));
    }

    /**
     * Returns whether something holds that ends at this moment, such as an entry of a cache, a claim or a lease. It does not hold if the end is further
     * ahead than the longest period.
     */
    public static boolean holds(Instant until, Duration longest, Instant now) {
        return now.isBefore(until) && !isTooFarAhead(until, longest, now);
    }

    /** Returns whether the difference between a clock and the time that has passed is the step of a clock. */
    public static boolean isStep(Duration difference) {
        return difference.abs().compareTo(MAX_SKEW) > 0;
    }
}
