package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * Runs that follow each other at an interval, counted from the last sign of life.
 *
 * @param everySeconds the interval, 1 to {@link #MAX_SECONDS}
 * @param graceSeconds how late a run may be, 0 to {@link RunSchedule#MAX_GRACE_SECONDS}
 */
public record FixedInterval(int everySeconds, int graceSeconds) implements RunSchedule {

    /** The longest interval: a year and a day. */
    public static final int MAX_SECONDS = 366 * 86_400;

    @Override
    public Instant expectedAfter(Instant seenAt) {
        return seenAt.plusSeconds(everySeconds);
    }

    @Override
    public Duration grace() {
        return Duration.ofSeconds(graceSeconds);
    }

    @Override
    public String timeZone() {
        return "UTC";
    }
}
