package dev.agenthealth.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Numbers by counter. Counts of parts add up to the counts of the whole. Immutable.
 *
 * @param numbers the numbers that are not 0, in the order of their counters
 */
public record Counts<E extends Enum<E>>(Map<E, Long> numbers) {

    public Counts {
        if (!numbers.isEmpty()) {
            Map<E, Long> present = new EnumMap<>(numbers);
            present.values().removeIf(number -> number == 0);
            numbers = present;
        }
        numbers = Collections.unmodifiableMap(numbers);
    }

    /** Returns counts that are all 0. */
    public static <E extends Enum<E>> Counts<E> none() {
        return new Counts<>(Map.<E, Long>of());
    }

    /** Returns the counts with one number. */
    public static <E extends Enum<E>> Counts<E> of(E counter, long number) {
        return new Counts<>(Map.of(counter, number));
    }

    /**
     * Returns the counts with these numbers. Missing counters are 0.
     *
     * @param numbers the numbers by wire name
     */
    public static <E extends Enum<E> & WireNamed> Counts<E> ofNames(Class<E> counters, Map<String, ?> numbers) {
        Map<E, Long> counts = new EnumMap<>(counters);
        for (E counter : counters.getEnumConstants()) {
            counts.put(counter, numbers.get(counter.wireName()) instanceof Number number ? number.longValue() : 0L);
        }
        return new Counts<>(counts);
    }

    /** Returns the numbers of all counters by wire name, in their order. The caller may change the map. */
    public static <E extends Enum<E> & WireNamed> Map<String, Object> byName(Class<E> counters, Counts<E> counts) {
        Map<String, Object> numbers = new LinkedHashMap<>();
        for (E counter : counters.getEnumConstants()) {
            numbers.put(counter.wireName(), counts.get(counter));
        }
        return numbers;
    }

    /** Returns the value of a counter. */
    public long get(E counter) {
        return numbers.getOrDefault(counter, 0L);
    }

    /** Returns the sums by counter. A sum is at most {@link Long#MAX_VALUE}. */
    public Counts<E> plus(Counts<E> other) {
        if (isNone() || other.isNone()) {
            return isNone() ? other : this;
        }
        Map<E, Long> sums = new EnumMap<>(numbers);
        other.numbers.forEach((counter, number) -> sums.merge(counter, number, Counts::sum));
        return new Counts<>(sums);
    }

    /** Returns whether all numbers are 0. */
    public boolean isNone() {
        return numbers.isEmpty();
    }

    /** Adds up numbers by counter. Not thread-safe. */
    public static final class Tally<E extends Enum<E>> {

        private final Class<E> counters;
        private final long[] numbers;

        public Tally(Class<E> counters) {
            this.counters = counters;
            this.numbers = new long[counters.getEnumConstants().length];
        }

        public void add(E counter, long number) {
            numbers[counter.ordinal()] += number;
        }

        /** Returns the sums by counter. */
        public Counts<E> counts() {
            Map<E, Long> sums = new EnumMap<>(counters);
            for (E counter : counters.getEnumConstants()) {
                sums.put(counter, numbers[counter.ordinal()]);
            }
            return new Counts<>(sums);
        }
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        boolean overflows = one > 0 && other > 0 && sum < 0;
        return overflows ? Long.MAX_VALUE : sum;
    }
}
