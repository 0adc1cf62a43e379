package dev.agenthealth.model.registry.outcome;

import dev.agenthealth.model.registry.usage.Usage;
import java.time.Instant;

/**
 * The outcome of one finished execution or invocation.
 *
 * @param result the result
 * @param errorType the kind of failure; without meaning for a success
 * @param latencyMs the runtime in milliseconds, at least 0; {@link #NO_LATENCY} if none was reported
 * @param occurredAt the end, by the reporter's clock
 * @param slaBreached whether the reporter says that the execution breached its SLA, independent of the latency
 * @param usage the tokens and calls of the execution; {@link Usage#NONE} if they are unknown
 * @param evaluation the evaluation of the execution; {@link Evaluation#NONE} without one
 */
public record Outcome(
        OutcomeResult result,
        ErrorType errorType,
        double latencyMs,
        Instant occurredAt,
        boolean slaBreached,
        Usage usage,
        Evaluation evaluation) {

    /** The latency if none was reported. */
    public static final double NO_LATENCY = -1;

    /** The maximum latency in milliseconds: 30 days. */
    public static final double MAX_LATENCY_MS = 30d * 86_400_000;

    /** The maximum number of outcomes in one batch. */
    public static final int MAX_BATCH = 500;

    public Outcome {
        if (!(latencyMs == NO_LATENCY || latencyMs >= 0 && latencyMs <= MAX_LATENCY_MS)) {
            throw new IllegalArgumentException("a latency of " + latencyMs + " ms");
        }
    }

    /** Creates an outcome without usage and without an evaluation. */
    public Outcome(
            OutcomeResult result, ErrorType errorType, double latencyMs, Instant occurredAt, boolean slaBreached) {
        this(result, errorType, latencyMs, occurredAt, slaBreached, Usage.NONE, Evaluation.NONE);
    }

    /** Returns the outcome with this usage. */
    public Outcome with(Usage newUsage) {
        return new Outcome(result, errorType, latencyMs, occurredAt, slaBreached, newUsage, evaluation);
    }

    /** Returns the outcome with this evaluation. */
    public Outcome with(Evaluation newEvaluation) {
        return new Outcome(result, errorType, latencyMs, occurredAt, slaBreached, usage, newEvaluation);
    }

    /** Returns the outcome with this kind of failure. */
    public Outcome with(ErrorType newType) {
        return new Outcome(result, newType, latencyMs, occurredAt, slaBreached, usage, evaluation);
    }

    /** Returns whether the execution failed because of a model provider. */
    public boolean isUpstreamFailure() {
        return result == OutcomeResult.FAILURE && errorType == ErrorType.UPSTREAM;
    }

    /** Returns whether a latency was reported. */
    public boolean hasLatency() {
        return latencyMs != NO_LATENCY;
    }
}
