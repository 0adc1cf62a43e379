package dev.agenthealth.model.registry.usage;

import dev.agenthealth.model.Counts;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers of tokens, calls and executions, by model. Usage of parts adds up to the usage of the whole. Immutable.
 *
 * @param byModel the numbers of each model that are not all 0
 */
public record Usage(SortedMap<ModelName, Counts<UsageCounter>> byModel) {

    public static final Usage NONE = new Usage(new TreeMap<>());

    public Usage {
        SortedMap<ModelName, Counts<UsageCounter>> present = new TreeMap<>(byModel);
        present.values().removeIf(Counts::isNone);
        byModel = Collections.unmodifiableSortedMap(present);
    }

    /** Returns the usage of one model. */
    public static Usage of(ModelName model, Map<UsageCounter, Long> numbers) {
        return new Usage(new TreeMap<>(Map.of(model, new Counts<>(numbers))));
    }

    /**
     * Returns the usage that a report has. Some libraries report cached tokens beside the input instead of within it. A report with more
     * cached than input tokens is certainly of this kind, so its input becomes the sum of both.
     */
    public static Usage reported(ModelName model, Map<UsageCounter, Long> numbers) {
        Map<UsageCounter, Long> reported = new EnumMap<>(UsageCounter.class);
        reported.putAll(numbers);
        long cached = numbers.getOrDefault(UsageCounter.CACHE_READ_TOKENS, 0L);
        if (cached > numbers.getOrDefault(UsageCounter.INPUT_TOKENS, 0L)) {
            reported.merge(UsageCounter.INPUT_TOKENS, cached, Long::sum);
        }
        return of(model, reported);
    }

    /** Returns the sum of two usages. */
    public Usage plus(Usage other) {
        if (isNone() || other.isNone()) {
            return isNone() ? other : this;
        }
        SortedMap<ModelName, Counts<UsageCounter>> sums = new TreeMap<>(byModel);
        other.byModel.forEach((model, numbers) -> sums.merge(model, numbers, Counts::plus));
        return new Usage(sums);
    }

    /** Returns the difference to an earlier usage. Its numbers may be negative. */
    public Usage minus(Usage earlier) {
        SortedMap<ModelName, Counts<UsageCounter>> negative = new TreeMap<>();
        earlier.byModel.forEach((model, numbers) -> {
            Map<UsageCounter, Long> turned = new EnumMap<>(UsageCounter.class);
            numbers.numbers().forEach((counter, number) -> turned.put(counter, -number));
            negative.put(model, new Counts<>(turned));
        });
        return plus(new Usage(negative));
    }

    /** Returns the sums of all models. */
    public Counts<UsageCounter> total() {
        return byModel.values().stream().reduce(Counts.none(), Counts::plus);
    }

    /** Returns the number of tokens that count in limits. By default, tokens from a cache do not count. */
    public long tokens(boolean withCached) {
        return byModel.values().stream()
                .mapToLong(numbers -> tokens(numbers, withCached))
                .sum();
    }

    private static long tokens(Counts<UsageCounter> numbers, boolean withCached) {
        long input = numbers.get(UsageCounter.INPUT_TOKENS);
        long cached = numbers.get(UsageCounter.CACHE_READ_TOKENS);
        // The sums of earlier versions may have more cached tokens than input.
        return numbers.get(UsageCounter.OUTPUT_TOKENS)
                + (withCached ? Math.max(input, cached) : Math.max(0, input - cached));
    }

    /** Returns whether all numbers are 0. */
    public boolean isNone() {
        return byModel.isEmpty();
    }

    /**
     * Returns this usage with at most {@code maximum} models. The usage of further models counts for {@link ModelName#OTHER}.
     *
     * @param known the models that are stored already
     */
    public Usage bounded(Set<ModelName> known, int maximum) {
        Usage bounded = NONE;
        Set<ModelName> named = new HashSet<>(known);
        for (Map.Entry<ModelName, Counts<UsageCounter>> entry : byModel.entrySet()) {
            boolean fits = named.contains(entry.getKey()) || named.size() < maximum && named.add(entry.getKey());
            bounded = bounded.plus(
                    new Usage(new TreeMap<>(Map.of(fits ? entry.getKey() : ModelName.OTHER, entry.getValue()))));
        }
        return bounded;
    }
}
