package dev.agenthealth.model.registry.outcome;

import java.time.Instant;

/**
 * One finished execution or invocation.
 *
 * @param result how it ended
 * @param errorType why it failed; means nothing unless it did
 * @param latencyMs its runtime in milliseconds, at least 0; {@link #NO_LATENCY} where none was reported
 * @param occurredAt when it ended, by the reporter's clock
 * @param slaBreached whether the reporter says that it breached its SLA, whatever its latency
 */
public record Outcome(
        OutcomeResult result, ErrorType errorType, double latencyMs, Instant occurredAt, boolean slaBreached) {

    /** No latency was reported. */
    public static final double NO_LATENCY = -1;

    /** The longest latency in milliseconds: 30 days. */
    public static final double MAX_LATENCY_MS = 30d * 86_400_000;

    /** The maximum number of outcomes of one batch. */
    public static final int MAX_BATCH = 500;

    public Outcome {
        if (!(latencyMs == NO_LATENCY || latencyMs >= 0 && latencyMs <= MAX_LATENCY_MS)) {
            throw new IllegalArgumentException("a latency of " + latencyMs + " ms");
        }
    }

    /** Returns whether a latency was reported. */
    public boolean hasLatency() {
        return latencyMs != NO_LATENCY;
    }
}
