package dev.agenthealth.model.registry.lifecycle;

import java.time.Duration;
import java.time.Instant;

/**
 * A schedule of runs at a fixed interval, counted from the last sign of life.
 *
 * @param everySeconds the interval in seconds, 1 to {@link #MAX_SECONDS}
 * @param graceSeconds the maximum delay of a run in seconds, 0 to {@link RunSchedule#MAX_GRACE_SECONDS}
 */
public record FixedInterval(int everySeconds, int graceSeconds) implements RunSchedule {

    /** The maximum interval: a year and a day. */
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
