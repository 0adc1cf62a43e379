package dev.agenthealth.model.registry.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The durations of the answers to probes in the last 24 hours. Immutable.
 *
 * @param byHour the durations by the number of the hour since 1970, at most {@link #HOURS} hours
 */
public record ResponseTimes(SortedMap<Long, Range> byHour) {

    /** The number of hours that are kept, including the present hour. */
    public static final int HOURS = 24;

    public static final ResponseTimes NONE = new ResponseTimes(Collections.emptySortedMap());

    public ResponseTimes {
        byHour = Collections.unmodifiableSortedMap(new TreeMap<>(byHour));
    }

    /**
     * The times of some answers, in milliseconds.
     *
     * @param count the number of answers, from 1
     */
    public record Range(int count, long sum, long min, long max) {

        private static Range of(long millis) {
            return new Range(1, millis, millis, millis);
        }

        private static Range sum(Range a, Range b) {
            return new Range(a.count + b.count, a.sum + b.sum, Math.min(a.min, b.min), Math.max(a.max, b.max));
        }

        /** Returns the arithmetic mean, rounded. */
        public long mean() {
            return Math.round((double) sum / count);
        }
    }

    /** Returns these durations with one more answer, and without answers that are older than a day. */
    public ResponseTimes with(Instant at, long millis) {
        SortedMap<Long, Range> next = new TreeMap<>(lastDay(byHour, at));
        next.merge(hour(at), Range.of(millis), Range::sum);
        return new ResponseTimes(next);
    }

    /** Returns the durations of the last day; empty without a known answer. */
    public Optional<Range> lastDay(Instant now) {
        return lastDay(byHour, now).values().stream().reduce(Range::sum);
    }

    private static SortedMap<Long, Range> lastDay(SortedMap<Long, Range> byHour, Instant now) {
        return byHour.subMap(hour(now) - HOURS + 1, hour(now) + 1);
    }

    private static long hour(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), Duration.ofHours(1).toSeconds());
    }
}
