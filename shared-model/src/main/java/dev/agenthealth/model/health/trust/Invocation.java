package dev.agenthealth.model.health.trust;

import java.time.Instant;

/**
 * An invocation through the gateway that is over.
 *
 * @param receiptId the id of the invocation
 * @param agentId the agent that was called
 * @param providerId the agent's provider at the time of the call; empty without a provider
 * @param callerKeyId the id of the caller's key
 * @param call the call, whose latency counts to the answer or to the time-out and is at least 0
 * @param scope the purposes for which the invocation is evidence; health counts every call
 */
public record Invocation(
        String receiptId, String agentId, String providerId, String callerKeyId, Call call, EvidenceScope scope) {

    public Invocation {
        if (call.latencyMs() < 0) {
            throw new IllegalArgumentException("an invocation of " + call.latencyMs() + " milliseconds");
        }
    }

    /** Returns whether the invocation is evidence for any purpose. */
    public boolean evidence() {
        return scope != EvidenceScope.NONE;
    }

    public boolean success() {
        return call.success();
    }

    public long latencyMs() {
        return call.latencyMs();
    }

    public double limitMs() {
        return call.limitMs();
    }

    public Instant at() {
        return call.at();
    }
}
