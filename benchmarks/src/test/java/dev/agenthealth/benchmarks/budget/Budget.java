package dev.agenthealth.benchmarks.budget;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The consumption of one operation, a mean where it varies; a measure that is missing is 0. Immutable. */
public record Budget(@JsonValue Map<Measure, Double> amounts) {

    public static final Budget NONE = new Budget(Map.of());

    @JsonCreator
    public Budget {
        Map<Measure, Double> ordered = new EnumMap<>(Measure.class);
        ordered.putAll(amounts);
        amounts = Collections.unmodifiableMap(ordered);
    }

    public double of(Measure measure) {
        return amounts.getOrDefault(measure, 0.0);
    }

    /** Returns {@code this + factor * other}. */
    public Budget plus(Budget other, double factor) {
        Map<Measure, Double> sum = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            sum.put(measure, of(measure) + factor * other.of(measure));
        }
        return new Budget(sum);
    }

    /** Returns the amounts to two decimals. */
    public Budget rounded() {
        Map<Measure, Double> rounded = new EnumMap<>(Measure.class);
        amounts.forEach((measure, amount) -> rounded.put(measure, Math.round(amount * 100) / 100.0));
        return new Budget(rounded);
    }
}
