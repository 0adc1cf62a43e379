package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Measures steps of the clock of one machine: what passed on the clock and on the monotonic clock between two passes. A machine that sleeps looks like a
 * step ahead, as its monotonic clock stands still. Thread-safe.
 */
final class StepMeter {

    /** A measurement during which the process stood still for longer shows nothing. */
    private static final long MAX_MEASUREMENT_NANOS = Duration.ofMillis(200).toNanos();

    private final Clock clock;
    private final LongSupplier nanoTime;
    private Instant lastAt = Instant.MIN;
    private long lastNanos;
    private Duration unpublished = Duration.ZERO;

    /** @param nanoTime as {@link System#nanoTime} */
    StepMeter(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** A meter where there is no common monotonic clock: it measures no step. */
    static StepMeter none(Clock clock) {
        return new StepMeter(clock, () -> clock.instant().toEpochMilli() * 1_000_000L);
    }

    /** Returns the step since the last measurement; zero for none, and for the first measurement. */
    synchronized Duration measure() {
        long before = nanoTime.getAsLong();
        Instant now = clock.instant();
        long nanos = nanoTime.getAsLong();
        if (nanos - before > MAX_MEASUREMENT_NANOS) {
            return Duration.ZERO;
        }
        Duration step = lastAt.equals(Instant.MIN)
                ? Duration.ZERO
                : Duration.between(lastAt, now).minusNanos(nanos - lastNanos);
        lastAt = now;
        lastNanos = nanos;
        if (!ClockRule.isStep(step)) {
            return Duration.ZERO;
        }
        unpublished = unpublished.plus(step);
        return step;
    }

    /** Returns the sum of the steps that are not published yet; zero for none. */
    synchronized Duration unpublished() {
        return unpublished;
    }

    /** Notes that steps are published. */
    synchronized void published(Duration step) {
        unpublished = unpublished.minus(step);
    }
}
