package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * Adherence to the SLA and reliability of triggers (Agent Health Model, Operational Score).
 *
 * @param evaluated whether there was any execution or trigger failure; otherwise the score is 1
 * @param slaBreaches B
 * @param slaBreachThreshold B at which the SLA's score is 0
 * @param triggerFailures T
 * @param triggerFailureThreshold T at which the triggers' score is 0
 */
public record OperationalScore(
        boolean evaluated,
        long slaBreaches,
        long slaBreachThreshold,
        long triggerFailures,
        long triggerFailureThreshold) {

    private static final double SLA_SHARE = 0.6;
    private static final double TRIGGER_SHARE = 0.4;

    static OperationalScore of(Expectations expected, OutcomeCounts counts) {
        return new OperationalScore(
                counts.executions() > 0 || counts.get(OutcomeCounter.TRIGGER_FAILURES) > 0,
                counts.get(OutcomeCounter.SLA_BREACHES),
                expected.slaBreachThreshold(),
                counts.get(OutcomeCounter.TRIGGER_FAILURES),
                expected.triggerFailureThreshold());
    }

    /** {@code 1 - min(1, B / threshold)}. */
    public double slaScore() {
        return 1 - Math.min(1, (double) slaBreaches / slaBreachThreshold);
    }

    /** {@code 1 - min(1, T / threshold)}. */
    public double triggerScore() {
        return 1 - Math.min(1, (double) triggerFailures / triggerFailureThreshold);
    }

    /** The score, 0 to 1. */
    public double score() {
        return SLA_SHARE * slaScore() + TRIGGER_SHARE * triggerScore();
    }
}
