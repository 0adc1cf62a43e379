package dev.agenthealth.model.registry.outcome;

import java.util.Arrays;

/**
 * The buckets into which latencies are counted: single milliseconds, and from 20 on ranges of milliseconds in which no latency is further
 * than 5 % from the bucket's own. A latency is rounded to whole milliseconds to find its bucket; the ranges take that into account, so that a
 * latency of 10 ms or more, whole or not, is never further than 5 % from its bucket's value, and a shorter one never further than half a
 * millisecond. Up to 30 days there are {@link #COUNT} of them.
 *
 * <p>The boundaries are whole numbers made by whole-number arithmetic, so that every machine counts into the same buckets.
 */
public final class LatencyBuckets {

    /** The largest relative error of a bucket's value, in percent, for latencies of 10 ms and more. */
    public static final int ERROR_PERCENT = 5;

    private static final long[] STARTS = starts();

    /** The number of buckets. */
    public static final int COUNT = STARTS.length;

    private LatencyBuckets() {}

    /**
     * The bucket of a latency, rounded to whole milliseconds, from 0.
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
     * The representative value of a bucket, in milliseconds.
     *
     * @throws IndexOutOfBoundsException for a bucket that there is not
     */
    public static double value(int bucket) {
        long first = STARTS[bucket];
        long last = last(first);
        if (first == last) {
            return first;
        }
        // What is rounded into the bucket lies between these two; this mean is as far from the one as from the other,
        // relatively.
        double from = first - 0.5;
        double to = last + 0.5;
        return 2 * from * to / (from + to);
    }

    /**
     * The last whole number of the bucket that starts here: the largest for which {@code last + 1/2} is at most 105/95 times
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
