package dev.agenthealth.model.health.score;

import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectations;

/**
 * Adherence to the SLA and reliability of triggers (Agent Health Model, Operational Score).
 *
 * @param evaluated whether there was any execution or trigger failure; otherwise the score is 1
 * @param slaBreaches B, the number of breaches of the SLA
 * @param slaBreachThreshold the B at which the score of the SLA is 0
 * @param triggerFailures T, the number of trigger failures
 * @param triggerFailureThreshold the T at which the score of the triggers is 0
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

    /** Returns {@code 1 - min(1, B / threshold)}. */
    public double slaScore() {
        return 1 - Math.min(1, (double) slaBreaches / slaBreachThreshold);
    }

    /** Returns {@code 1 - min(1, T / threshold)}. */
    public double triggerScore() {
        return 1 - Math.min(1, (double) triggerFailures / triggerFailureThreshold);
    }

    /** Returns the score, 0 to 1. */
    public double score() {
        return SLA_SHARE * slaScore() + TRIGGER_SHARE * triggerScore();
    }
}
