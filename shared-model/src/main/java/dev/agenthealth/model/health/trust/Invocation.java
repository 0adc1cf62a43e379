package dev.agenthealth.model.health.trust;

import java.time.Instant;

/**
 * An invocation through the gateway that is over: the agent was called, and this is how it went.
 *
 * @param receiptId the invocation's own id
 * @param agentId the agent that was called
 * @param providerId its provider when it was called; empty for none
 * @param success whether the agent answered as it should
 * @param latencyMs from the call to the answer or to giving up, in milliseconds, at least 0
 * @param limitMs the latency above which the agent is too slow, in milliseconds; {@link Call#NO_LIMIT} where it declares none
 * @param at when it was over
 * @param scope the purposes for which it is evidence; health records count every call
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

    /** Returns whether the invocation is evidence for anything. */
    public boolean evidence() {
        return scope != EvidenceScope.NONE;
    }
}
