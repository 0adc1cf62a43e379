package dev.agenthealth.model.health.trust;

import java.time.Instant;

/**
 * An invocation through the gateway that is over.
 *
 * @param receiptId the id of the invocation
 * @param agentId the agent that was called
 * @param providerId the agent's provider at the time of the call; empty without a provider
 * @param success whether the agent answered correctly
 * @param latencyMs the milliseconds from the call to the answer or to the time-out, at least 0
 * @param limitMs the latency in milliseconds above which the agent is too slow; {@link Call#NO_LIMIT} without a declared baseline
 * @param at the end of the invocation
 * @param scope the purposes for which the invocation is evidence; health counts every call
 */
public record Invocation(
        String receiptId,
        String agentId,
        String providerId,
        boolean success,
        long latencyMs,
        double limitMs,
        Instant at,
        EvidenceScope scope) {

    public Invocation {
        if (latencyMs < 0) {
            throw new IllegalArgumentException("an invocation of " + latencyMs + " milliseconds");
        }
    }

    /** Returns whether the invocation is evidence for any purpose. */
    public boolean evidence() {
        return scope != EvidenceScope.NONE;
    }
}
