package dev.agenthealth.benchmarks.load;

import java.util.List;

/**
 * The requests of one measurement.
 *
 * @param perSecond answered requests per second
 * @param p50Millis the latency of half of the requests
 * @param p99Millis the latency of 99 % of the requests
 */
record Rate(double perSecond, double p50Millis, double p99Millis) {

    /** @param latencies in nanoseconds, by connection */
    static Rate of(List<long[]> latencies, long nanos) {
        long[] all = latencies.stream()
                .flatMapToLong(java.util.Arrays::stream)
                .sorted()
                .toArray();
        if (all.length == 0) {
            throw new IllegalStateException("no request was answered within the time that counts");
        }
        return new Rate(all.length * 1e9 / nanos, percentile(all, 0.5), percentile(all, 0.99));
    }

    /** Returns the nearest-rank percentile of sorted nanoseconds, in milliseconds. */
    static double percentile(long[] sorted, double share) {
        return sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)] / 1e6;
    }
}
