package dev.agenthealth.functions.sweep;

import dev.agenthealth.model.ClockRule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Measures steps of the clock of one machine. Thread-safe.
 *
 * <p>A step is the difference between the time that passed on the clock and on the monotonic clock. A machine that sleeps looks like a step
 * ahead, because its monotonic clock stops.
 */
final class StepMeter {

    /** The maximum duration of a measurement. A measurement shows nothing if the process paused for longer. */
    private static final long MAX_MEASUREMENT_NANOS = Duration.ofMillis(200).toNanos();

    private final Clock clock;
    private final LongSupplier nanoTime;
    private Instant lastAt = Instant.MIN;
    private long lastNanos;
    private Duration unpublished = Duration.ZERO;

    /** @param nanoTime a monotonic clock, as {@link System#nanoTime} */
    StepMeter(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** Returns a meter for servers without a common monotonic clock. It measures no step. */
    static StepMeter none(Clock clock) {
        return new StepMeter(clock, () -> clock.instant().toEpochMilli() * 1_000_000L);
    }

    /** Returns the step since the last measurement; zero for no step and for the first measurement. */
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

    /** Returns the sum of the steps that are not published yet; zero for no step. */
    synchronized Duration unpublished() {
        return unpublished;
    }

    /** Notes that a step is published. */
    synchronized void published(Duration step) {
        unpublished = unpublished.minus(step);
    }
}
