package dev.agenthealth.model.registry.outcome;

import java.util.Map;

/**
 * The evaluation of one execution, for example by a person or a model. The registry evaluates nothing itself, and takes no explanation.
 *
 * @param name the name of the evaluation, such as {@code relevance}; empty if it is unknown
 * @param quality the quality from 0 to 1; {@link #NO_QUALITY} without an evaluation
 */
public record Evaluation(String name, double quality) {

    /** The quality of an execution without an evaluation. */
    public static final double NO_QUALITY = -1;

    /** The maximum number of characters of a name. */
    public static final int MAX_NAME = 128;

    /** Replaces the evaluation of an execution without one. */
    public static final Evaluation NONE = new Evaluation("", NO_QUALITY);

    /** The unit in which qualities are added up. */
    static final double MICROS = 1_000_000;

    public Evaluation {
        if (!(quality == NO_QUALITY || quality >= 0 && quality <= 1)) {
            throw new IllegalArgumentException("a quality of " + quality);
        }
    }

    /** Returns whether nothing was evaluated. */
    public boolean isNone() {
        return quality == NO_QUALITY;
    }

    /** Returns the counts of the evaluation in an outcome, without its execution. */
    public OutcomeCounts counts() {
        return counts(OutcomeCounter.EVALUATIONS, OutcomeCounter.QUALITY_MICROS);
    }

    /** Returns the counts of the evaluation in an event of OpenTelemetry. The same execution may have an outcome with a quality, too. */
    public OutcomeCounts countsOfEvent() {
        return counts(OutcomeCounter.EVENT_EVALUATIONS, OutcomeCounter.EVENT_QUALITY_MICROS);
    }

    private OutcomeCounts counts(OutcomeCounter number, OutcomeCounter sum) {
        return isNone()
                ? OutcomeCounts.NONE
                : OutcomeCounts.of(Map.of(number, 1L, sum, Math.round(quality * MICROS)), LatencyHistogram.EMPTY);
    }
}
