package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The times before retries: full jitter over exponentially growing times, and never less than the registry asks for. */
final class Backoff {

    private static final int MAX_DOUBLINGS = 20;

    private final RandomGenerator random;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /**
     * The time before the next attempt: uniform between zero and {@code first} doubled with every failure, at most {@code maximum}; after
     * the time that the registry names, where it names one.
     *
     * @param failures in a row, from 1
     */
    Duration after(int failures, Duration first, Duration maximum, Optional<Duration> retryAfter) {
        double doubled = first.toNanos() * (double) (1L << Math.min(failures - 1, MAX_DOUBLINGS));
        Duration jitter = upTo(Duration.ofNanos((long) Math.min(doubled, maximum.toNanos())));
        return retryAfter.map(jitter::plus).orElse(jitter);
    }

    /** A time from zero up to {@code maximum}. */
    Duration upTo(Duration maximum) {
        return Duration.ofNanos((long) (random.nextDouble() * maximum.toNanos()));
    }

    /** An interval, up to a tenth shorter: heartbeats of many processes spread, and none comes late. */
    Duration shortened(Duration interval) {
        return interval.minus(upTo(interval.dividedBy(10)));
    }
}
