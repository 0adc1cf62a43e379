package dev.agenthealth.model.outcome;

import java.util.Arrays;

/**
 * The buckets into which latencies are counted: whole milliseconds up to 9, from there on ranges of whole milliseconds in which no
 * value is further than 5 % from the bucket's own. Up to 30 days there are {@link #COUNT} of them.
 *
 * <p>The boundaries are whole numbers made by whole-number arithmetic, so that every machine counts into the same buckets.
 */
public final class LatencyBuckets {

    /** The largest relative error of a bucket's value, in percent. */
    public static final int ERROR_PERCENT = 5;

    private static final long[] STARTS = starts();

    /** How many buckets there are. */
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
     * The value that stands for a bucket, in milliseconds.
     *
     * @throws IndexOutOfBoundsException for a bucket that there is not
     */
    public static double value(int bucket) {
        double first = STARTS[bucket];
        double last = last(STARTS[bucket]);
        return first == last ? first : 2 * first * last / (first + last);
    }

    /** The last whole number that is at most 5 % from the middle of a bucket starting here. */
    private static long last(long first) {
        return first * (100 + ERROR_PERCENT) / (100 - ERROR_PERCENT);
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
