package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.util.OptionalDouble;

/**
 * Execution efficiency (Agent Health Model, Performance Score).
 *
 * @param expectedRuntimeMs ER in milliseconds; none where the agent declares none
 * @param actualRuntimeMs AR in milliseconds: the mean latency of the executions that reported one, failures included; none where none did
 * @param deviationAllowed allowed deviation, 0.2 for 20 %
 */
public record PerformanceScore(
        OptionalDouble expectedRuntimeMs, OptionalDouble actualRuntimeMs, double deviationAllowed) {

    private static final double MICROS_PER_MILLI = 1_000;

    static PerformanceScore of(Expectations expected, OutcomeCounts counts) {
        long latencies = counts.get(OutcomeCounter.LATENCIES);
        OptionalDouble actual = latencies == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(counts.get(OutcomeCounter.LATENCY_MICROS) / (MICROS_PER_MILLI * latencies));
        return new PerformanceScore(expected.runtimeMs(), actual, expected.deviationAllowed());
    }

    /** Returns whether there is anything to compare; otherwise the score is 1. */
    public boolean isEvaluated() {
        return expectedRuntimeMs.isPresent() && actualRuntimeMs.isPresent();
    }

    /** {@code (AR - ER) / ER}; none where it is not evaluated. */
    public OptionalDouble deviation() {
        if (!isEvaluated()) {
            return OptionalDouble.empty();
        }
        double expected = expectedRuntimeMs.getAsDouble();
        return OptionalDouble.of((actualRuntimeMs.getAsDouble() - expected) / expected);
    }

    /** The score, 0 to 1. */
    public double score() {
        double deviation = deviation().orElse(0);
        return deviation <= 0 ? 1 : 1 - Math.min(1, deviation / deviationAllowed);
    }
}
