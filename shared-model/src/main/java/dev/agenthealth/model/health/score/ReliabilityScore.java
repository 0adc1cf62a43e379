package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * Correctness of outcomes (Agent Health Model, Reliability Score).
 *
 * @param expectedSuccessRate ESR
 * @param actualSuccessRate ASR, 0 without executions
 * @param expectedFailuresPerHour EFH
 * @param actualFailuresPerHour AFH
 * @param executions N
 * @param fullConfidenceExecutions N from which confidence is full
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

    /** {@code min(1, ASR / ESR)}; 1 where no success is expected. */
    public double successScore() {
        return expectedSuccessRate == 0 ? 1 : Math.min(1, actualSuccessRate / expectedSuccessRate);
    }

    /** {@code min(1, EFH / AFH)}; 1 without failures. */
    public double failureScore() {
        return actualFailuresPerHour == 0 ? 1 : Math.min(1, expectedFailuresPerHour / actualFailuresPerHour);
    }

    /** {@code min(1, N / N_full)}. */
    public double confidence() {
        return Math.min(1, (double) executions / fullConfidenceExecutions);
    }

    /**
     * The score, 0 to 1: {@code confidence * raw + (1 - confidence) * 1}, where {@code raw} is {@code 0.7 * success + 0.3 * failure}.
     *
     * <p>Below full confidence one success more can lower it a little, where failures are above what is expected: their weight
     * grows with the confidence.
     */
    public double score() {
        double raw = SUCCESS_SHARE * successScore() + FAILURE_SHARE * failureScore();
        // The same formula, solved so that no rounding can lift it above 1 or let it fall while an input gets better.
        return 1 - confidence() * (1 - raw);
    }
}
