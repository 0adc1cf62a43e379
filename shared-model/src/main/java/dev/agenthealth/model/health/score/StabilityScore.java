package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * Consistency of the runtime (Agent Health Model, Stability Score).
 *
 * @param evaluated whether the agent declares a runtime and any execution reported a latency; otherwise the score is 1
 * @param longRunning S, the number of executions that took longer than 5 times the expected runtime
 * @param threshold the S at which the score is 0
 */
public record StabilityScore(boolean evaluated, long longRunning, long threshold) {

    static StabilityScore of(Expectations expected, OutcomeCounts counts) {
        return new StabilityScore(
                PerformanceScore.of(expected, counts).isEvaluated(),
                counts.get(OutcomeCounter.LONG_RUNNING),
                expected.longRunningThreshold());
    }

    /** Returns the score, 0 to 1: {@code 1 - min(1, log2(S + 1) / log2(threshold + 1))}. */
    public double score() {
        if (!evaluated || longRunning == 0) {
            return 1;
        }
        // The base of both logarithms cancels out.
        return longRunning >= threshold ? 0 : 1 - Math.log(longRunning + 1d) / Math.log(threshold + 1d);
    }
}
