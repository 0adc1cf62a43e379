package dev.agenthealth.client;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Computes the times before retries: full jitter over exponentially growing times, and never less than the registry asks for. */
final class Backoff {

    private static final int MAX_DOUBLINGS = 20;

    private final RandomGenerator random;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Returns the time before the next attempt: uniform between zero and {@code first}, which doubles with every failure up to {@code
     * maximum}. If the registry names a time, that time is added.
     *
     * @param failures consecutive failures, from 1
     */
    Duration after(int failures, Duration first, Duration maximum, Optional<Duration> retryAfter) {
        double doubled = first.toNanos() * (double) (1L << Math.min(failures - 1, MAX_DOUBLINGS));
        Duration jitter = upTo(Duration.ofNanos((long) Math.min(doubled, maximum.toNanos())));
        return retryAfter.map(jitter::plus).orElse(jitter);
    }

    /** Returns a random time from zero to {@code maximum}. */
    Duration upTo(Duration maximum) {
        return Duration.ofNanos((long) (random.nextDouble() * maximum.toNanos()));
    }

    /** Returns an interval, shortened by at most a tenth, so that heartbeats of many processes spread and no heartbeat is late. */
    Duration shortened(Duration interval) {
        return interval.minus(upTo(interval.dividedBy(10)));
    }
}
