package dev.agenthealth.model.gateway;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of a call of an agent.
 *
 * @param failure why it failed; empty if the agent completed the request, or is working on it
 * @param returned JSON text of what the agent returned: its answer, its own error, or the task that failed; empty if it returned nothing, or that
 *     is not known
 * @param at when the call ended
 * @param latencyMs how long the agent took, in milliseconds; 0 if it was not called
 */
public record CallResult(Optional<InvocationFailure> failure, String returned, Instant at, long latencyMs) {

    /** Returns the answer of an agent. */
    public static CallResult success(String returned, Instant at, long latencyMs) {
        return new CallResult(Optional.empty(), returned, at, latencyMs);
    }

    /** Returns a failure without a word of the agent. */
    public static CallResult failure(InvocationFailure failure, Instant at, long latencyMs) {
        return new CallResult(Optional.of(failure), "", at, latencyMs);
    }

    /** This result with what the agent returned, as it was stored. */
    public CallResult returning(String stored) {
        return new CallResult(failure, stored, at, latencyMs);
    }

    /** Returns whether the agent completed the request, or is working on it. */
    public boolean succeeded() {
        return failure.isEmpty();
    }
}
