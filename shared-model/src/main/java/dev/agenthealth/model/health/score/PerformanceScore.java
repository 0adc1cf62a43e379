package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;
import java.util.OptionalDouble;

/**
 * Execution efficiency (Agent Health Model, Performance Score).
 *
 * @param expectedRuntimeMs ER in milliseconds; empty if the agent declares none
 * @param actualRuntimeMs AR in milliseconds: the mean latency of all executions that reported a latency, failures included; empty without any
 * @param deviationAllowed the allowed deviation, such as 0.2 for 20 %
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

    /** Returns whether both runtimes are known; otherwise the score is 1. */
    public boolean isEvaluated() {
        return expectedRuntimeMs.isPresent() && actualRuntimeMs.isPresent();
    }

    /** Returns {@code (AR - ER) / ER}; empty if the score is not evaluated. */
    public OptionalDouble deviation() {
        if (!isEvaluated()) {
            return OptionalDouble.empty();
        }
        double expected = expectedRuntimeMs.getAsDouble();
        return OptionalDouble.of((actualRuntimeMs.getAsDouble() - expected) / expected);
    }

    /** Returns the score, 0 to 1. */
    public double score() {
        double deviation = deviation().orElse(0);
        return deviation <= 0 ? 1 : 1 - Math.min(1, deviation / deviationAllowed);
    }
}
