package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * Correctness of outcomes (Agent Health Model, Reliability Score).
 *
 * @param expectedSuccessRate ESR, the expected success rate
 * @param actualSuccessRate ASR, the actual success rate; 0 without executions
 * @param expectedFailuresPerHour EFH, the expected failures per hour
 * @param actualFailuresPerHour AFH, the actual failures per hour
 * @param executions N, the number of executions
 * @param fullConfidenceExecutions the N from which confidence is full
 */
public record ReliabilityScore(
        double expectedSuccessRate,
        double actualSuccessRate,
        double expectedFailuresPerHour,
        double actualFailuresPerHour,
        long executions,
        long fullConfidenceExecutions) {

    private static final double SUCCESS_SHARE = 0.7;
    private static final double FAILURE_SHARE = 0.3;

    static ReliabilityScore of(Expectations expected, OutcomeCounts counts, double observedHours) {
        return new ReliabilityScore(
                expected.successRate(),
                counts.executions() == 0 ? 0 : (double) counts.successes() / counts.executions(),
                expected.failuresPerHour(),
                counts.failures() / observedHours,
                counts.executions(),
                expected.fullConfidenceExecutions());
    }

    /** Returns whether there was any execution; otherwise the score is 1. */
    public boolean isEvaluated() {
        return executions > 0;
    }

    /** Returns {@code min(1, ASR / ESR)}; 1 if no success is expected. */
    public double successScore() {
        return expectedSuccessRate == 0 ? 1 : Math.min(1, actualSuccessRate / expectedSuccessRate);
    }

    /** Returns {@code min(1, EFH / AFH)}; 1 without failures. */
    public double failureScore() {
        return actualFailuresPerHour == 0 ? 1 : Math.min(1, expectedFailuresPerHour / actualFailuresPerHour);
    }

    /** Returns {@code min(1, N / N_full)}. */
    public double confidence() {
        return Math.min(1, (double) executions / fullConfidenceExecutions);
    }

    /**
     * Returns the score, 0 to 1: {@code confidence * raw + (1 - confidence) * 1}, where {@code raw} is {@code 0.7 * success + 0.3 * failure}.
     *
     * <p>Below full confidence, one more success can lower the score a little: with the confidence, the weight of too many failures grows.
     */
    public double score() {
        double raw = SUCCESS_SHARE * successScore() + FAILURE_SHARE * failureScore();
        // This is the same formula in a form in which rounding cannot lift the score above 1, nor lower it while an
        // input improves.
        return 1 - confidence() * (1 - raw);
    }
}
