package dev.agenthealth.dynamodb;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Detects steps of this machine's clock. After a step, nothing expires for some minutes: a clock that runs a year ahead for some seconds
 * would remove a year of items for good. Thread-safe.
 */
final class SteadyClock {

    /** The time for which nothing expires after a step. */
    static final Duration HOLD = Duration.ofMinutes(10);

    private static final long MAX_SKEW_MILLIS = 2_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Clock clock;
    private final LongSupplier nanoTime;
    private boolean measured;
    private long lastDifference;
    private long believedFromNanos;

    /** @param nanoTime a source such as {@link System#nanoTime} */
    SteadyClock(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Returns true if the clock made no step within {@link #HOLD}. Any clock but the machine's clock makes no steps. */
    synchronized boolean isBelieved() {
        if (!clock.equals(Clock.systemUTC())) {
            return true;
        }
        return isBelieved(clock.millis(), nanoTime.getAsLong());
    }

    /** Returns {@link #isBelieved()} for the times of both clocks. */
    synchronized boolean isBelieved(long millis, long nanos) {
        long difference = millis - nanos / NANOS_PER_MILLI;
        if (!measured) {
            believedFromNanos = nanos;
        } else if (Math.abs(difference - lastDifference) > MAX_SKEW_MILLIS) {
            believedFromNanos = nanos + HOLD.toNanos();
        }
        measured = true;
        lastDifference = difference;
        return nanos - believedFromNanos >= 0;
    }
}
