package dev.agenthealth.model.registry.outcome;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A distribution of latencies, counted in {@link LatencyBuckets}. Histograms of parts add up to the histogram of the whole. Immutable. */
public final class LatencyHistogram {

    /** The histogram without any latency. */
    public static final LatencyHistogram EMPTY = new LatencyHistogram(new TreeMap<>());

    private final SortedMap<Integer, Long> counts;

    private LatencyHistogram(SortedMap<Integer, Long> counts) {
        this.counts = Collections.unmodifiableSortedMap(counts);
    }

    /**
     * Returns the histogram with these counts by bucket.
     *
     * @throws IllegalArgumentException for an unknown bucket, or a count below 0
     */
    public static LatencyHistogram of(Map<Integer, Long> counts) {
        SortedMap<Integer, Long> sorted = new TreeMap<>();
        counts.forEach((bucket, count) -> {
            if (bucket < 0 || bucket >= LatencyBuckets.COUNT || count < 0) {
                throw new IllegalArgumentException(count + " latencies in bucket " + bucket);
            }
            if (count > 0) {
                sorted.put(bucket, count);
            }
        });
        return new LatencyHistogram(sorted);
    }

    /** Returns the counts of all buckets that are not empty. */
    public SortedMap<Integer, Long> counts() {
        return counts;
    }

    /** Returns the number of latencies. */
    public long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of latencies above a limit in milliseconds, judged by the values of their buckets. */
    public long above(double limitMs) {
        return counts.entrySet().stream()
                .filter(bucket -> LatencyBuckets.value(bucket.getKey()) > limitMs)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Returns this histogram without the latencies of a part of it. */
    public LatencyHistogram minus(LatencyHistogram part) {
        if (part.counts.isEmpty()) {
            return this;
        }
        SortedMap<Integer, Long> rest = new TreeMap<>(counts);
        part.counts.forEach((bucket, count) -> rest.merge(bucket, -count, Long::sum));
        return of(rest);
    }

    /** Returns the sum of two histograms. */
    public LatencyHistogram plus(LatencyHistogram other) {
        if (counts.isEmpty()) {
            return other;
        }
        SortedMap<Integer, Long> sum = new TreeMap<>(counts);
        other.counts.forEach((bucket, count) -> sum.merge(bucket, count, Long::sum));
        return new LatencyHistogram(sum);
    }

    /**
     * Returns the quantile by nearest rank; 0 without a latency (Agent Health State §4.4). It is within {@value LatencyBuckets#ERROR_PERCENT} % of
     * the exact quantile, or within half a millisecond below 10 ms.
     *
     * @param percent from 1 to 100
     */
    public double quantile(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("no quantile of " + percent + " %");
        }
        long total = total();
        // The rank is the share rounded up, in a form that does not overflow for a large total.
        long rank = total / 100 * percent + (total % 100 * percent + 99) / 100;
        long passed = 0;
        for (Map.Entry<Integer, Long> bucket : counts.entrySet()) {
            passed += bucket.getValue();
            if (passed >= rank) {
                return LatencyBuckets.value(bucket.getKey());
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyHistogram histogram && counts.equals(histogram.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }

    @Override
    public String toString() {
        return "LatencyHistogram" + counts;
    }
}
