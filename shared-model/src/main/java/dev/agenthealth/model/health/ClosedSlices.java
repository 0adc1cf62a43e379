package dev.agenthealth.model.health;

import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The outcomes of an agent's closed slices. A computation reads them from here instead of reading each slice again. Immutable.
 *
 * @param window the window of these slices; another window needs other slices
 * @param revision the {@link Expectations#revision} that the counts are based on
 * @param from the epoch second that separates closed slices from later ones: all closed slices that count start before it
 * @param slices the counts by slice; slices of the previous window have no distribution of latencies
 */
public record ClosedSlices(MeasurementWindow window, int revision, long from, SortedMap<Slice, OutcomeCounts> slices) {

    public ClosedSlices {
        slices = Collections.unmodifiableSortedMap(new TreeMap<>(slices));
    }

    /** Returns an empty object, so that every slice that counts has to be read. */
    public static ClosedSlices none(MeasurementWindow window, Expectations expected, Instant now) {
        return new ClosedSlices(
                window, expected.revision(), window.firstSlice(now).start(), new TreeMap<>());
    }

    /** Returns these slices with their outcomes counted by the agent's current expectations. */
    public ClosedSlices countedBy(Expectations expected) {
        if (revision == expected.revision()) {
            return this;
        }
        SortedMap<Slice, OutcomeCounts> counted = new TreeMap<>(slices);
        counted.replaceAll((slice, counts) -> counts.countedBy(expected));
        return new ClosedSlices(window, expected.revision(), from, counted);
    }

    /**
     * Returns all slices that count now: these slices, and the slices that were read since.
     *
     * @param read slices from {@link #from} on, and earlier ones that changed; they replace the slices here
     */
    public SortedMap<Slice, OutcomeCounts> with(Map<Slice, OutcomeCounts> read, Instant now) {
        SortedMap<Slice, OutcomeCounts> all = new TreeMap<>(slices);
        all.putAll(read);
        all.keySet().removeIf(slice -> !window.holds(slice, now) && !window.heldBefore(slice, now));
        return all;
    }

    /**
     * Returns the closed slices among all slices that count now.
     *
     * @param all the result of {@link #with}
     */
    public ClosedSlices next(SortedMap<Slice, OutcomeCounts> all, Instant now) {
        // Every slice that starts earlier is closed.
        long newFrom = Math.max(
                window.start().getEpochSecond(),
                window.sliceAt(now.minus(Slice.OPEN_AFTER_END)).start());
        SortedMap<Slice, OutcomeCounts> closed = new TreeMap<>();
        for (Map.Entry<Slice, OutcomeCounts> entry : all.entrySet()) {
            Slice slice = entry.getKey();
            if (slice.isClosed(now)) {
                closed.put(
                        slice,
                        window.holds(slice, now)
                                ? entry.getValue()
                                : entry.getValue().withoutLatencies());
            } else {
                newFrom = Math.min(newFrom, slice.start());
            }
        }
        long upTo = newFrom;
        closed.keySet().removeIf(slice -> slice.start() >= upTo);
        return new ClosedSlices(window, revision, upTo, closed);
    }

    /** Returns the sum of all slices in the window that ends now. */
    public static OutcomeCounts current(MeasurementWindow window, SortedMap<Slice, OutcomeCounts> slices, Instant now) {
        return sum(slices, (slice, moment) -> window.holds(slice, moment), now);
    }

    /** Returns the sum of all slices in the previous window. */
    public static OutcomeCounts previous(
            MeasurementWindow window, SortedMap<Slice, OutcomeCounts> slices, Instant now) {
        return sum(slices, (slice, moment) -> window.heldBefore(slice, moment), now);
    }

    private static OutcomeCounts sum(
            SortedMap<Slice, OutcomeCounts> slices, BiPredicate<Slice, Instant> counts, Instant now) {
        return slices.entrySet().stream()
                .filter(entry -> counts.test(entry.getKey(), now))
                .map(Map.Entry::getValue)
                .reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
    }
}
