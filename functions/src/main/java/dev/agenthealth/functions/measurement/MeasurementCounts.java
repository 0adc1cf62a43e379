package dev.agenthealth.functions.measurement;

import dev.agenthealth.model.Counts;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a pass did, in numbers of agents. Parts add up with {@link #plus}. */
record MeasurementCounts(Counts<MeasurementResult> results) {

    long get(MeasurementResult result) {
        return results.get(result);
    }

    /** Computations that did not fail. */
    long computations() {
        return get(MeasurementResult.COMPUTED)
                + get(MeasurementResult.PUBLISHED)
                + get(MeasurementResult.OVERTAKEN)
                + get(MeasurementResult.UNKNOWN);
    }

    MeasurementCounts plus(MeasurementCounts other) {
        return new MeasurementCounts(results.plus(other.results));
    }

    /** The numbers by name, as they are logged and sent between invocations. */
    Map<String, Object> byName() {
        Map<String, Object> numbers = new LinkedHashMap<>();
        for (MeasurementResult result : MeasurementResult.values()) {
            numbers.put(result.wireName(), get(result));
        }
        return numbers;
    }

    /** The counts with these numbers; 0 for those that are missing. */
    static MeasurementCounts ofNames(Map<String, Object> numbers) {
        Map<MeasurementResult, Long> results = new EnumMap<>(MeasurementResult.class);
        for (MeasurementResult result : MeasurementResult.values()) {
            results.put(result, numbers.get(result.wireName()) instanceof Number number ? number.longValue() : 0L);
        }
        return new MeasurementCounts(new Counts<>(results));
    }
}
