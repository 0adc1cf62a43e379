package dev.agenthealth.model.score;

import dev.agenthealth.model.health.Measurement;

/**
 * Correctness of outcomes (Agent Health Model, Reliability Score).
 *
 * @param expectedSuccessRate ESR
 * @param actualSuccessRate ASR, 0 without executions
 * @param expectedFailuresPerHour EFH
 * @param actualFailuresPerHour AFH
 * @param executions N
 * @param fullConfidenceExecutions N from which the outcomes are fully believed
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

    static ReliabilityScore of(Measurement measurement) {
        return new ReliabilityScore(
                measurement.expectations().successRate(),
                measurement.responseRatio(),
                measurement.expectations().failuresPerHour(),
                measurement.counts().failures() / measurement.observedHours(),
                measurement.sampleCount(),
                measurement.expectations().fullConfidenceExecutions());
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

    /** The score, 0 to 1. */
    public double score() {
        double raw = SUCCESS_SHARE * successScore() + FAILURE_SHARE * failureScore();
        return confidence() * raw + (1 - confidence());
    }
}
