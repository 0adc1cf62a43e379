package dev.agenthealth.model.registry.outcome;

import java.util.Arrays;

/**
 * The buckets in which latencies are counted. Below 20 ms, each bucket is one millisecond. From 20 ms on, each bucket is a range in which every
 * latency is within 5 % of the bucket's value. There are {@link #COUNT} buckets up to 30 days.
 *
 * <p>A latency is rounded to whole milliseconds to find its bucket, and the ranges take the rounding into account. A latency of 10 ms or more is
 * within 5 % of its bucket's value. A shorter latency is within half a millisecond.
 *
 * <p>Whole-number arithmetic computes the boundaries, so that every machine uses the same buckets.
 */
public final class LatencyBuckets {

    /** The maximum relative error of a bucket's value, in percent, for latencies of at least 10 ms. */
    public static final int ERROR_PERCENT = 5;

    private static final long[] STARTS = starts();

    /** The number of buckets. */
    public static final int COUNT = STARTS.length;

    private LatencyBuckets() {}

    /**
     * Returns the bucket of a latency in milliseconds, from 0.
     *
     * @throws IllegalArgumentException for a latency below 0 or above {@link Outcome#MAX_LATENCY_MS}
     */
    public static int of(double latencyMs) {
        if (!(latencyMs >= 0 && latencyMs <= Outcome.MAX_LATENCY_MS)) {
            throw new IllegalArgumentException("no bucket for " + latencyMs + " ms");
        }
        int found = Arrays.binarySearch(STARTS, Math.round(latencyMs));
        return found >= 0 ? found : -found - 2;
    }

    /**
     * Returns the representative value of a bucket, in milliseconds.
     *
     * @throws IndexOutOfBoundsException for an unknown bucket
     */
    public static double value(int bucket) {
        long first = STARTS[bucket];
        long last = last(first);
        if (first == last) {
            return first;
        }
        // All latencies of the bucket lie between these two numbers. The harmonic mean has the same relative distance
        // to both.
        double from = first - 0.5;
        double to = last + 0.5;
        return 2 * from * to / (from + to);
    }

    /**
     * Returns the last whole number of the bucket that starts at a number: the largest number for which {@code last + 1/2} is at most 105/95 times
     * {@code first - 1/2}.
     */
    private static long last(long first) {
        long more = 100 + ERROR_PERCENT;
        long less = 100 - ERROR_PERCENT;
        return Math.max(first, ((2 * first - 1) * more - less) / (2 * less));
    }

    private static long[] starts() {
        long[] starts = new long[512];
        int count = 0;
        for (long start = 0; start <= (long) Outcome.MAX_LATENCY_MS; start = last(start) + 1) {
            starts[count++] = start;
        }
        return Arrays.copyOf(starts, count);
    }
}
