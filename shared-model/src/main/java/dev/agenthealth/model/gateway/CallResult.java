package dev.agenthealth.model.gateway;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of a call of an agent.
 *
 * @param failure the reason for a failure; empty if the agent completed the request or is working on it
 * @param returned the JSON text that the agent returned: an answer, an error or a failed task; empty if there is none, or it is unknown
 * @param at the end of the call
 * @param latencyMs the milliseconds that the agent took; 0 if it was not called
 */
public record CallResult(Optional<InvocationFailure> failure, String returned, Instant at, long latencyMs) {

    /** Returns the answer of an agent. */
    public static CallResult success(String returned, Instant at, long latencyMs) {
        return new CallResult(Optional.empty(), returned, at, latencyMs);
    }

    /** Returns a failure without an answer of the agent. */
    public static CallResult failure(InvocationFailure failure, Instant at, long latencyMs) {
        return new CallResult(Optional.of(failure), "", at, latencyMs);
    }

    /** Returns this result with the stored text of the agent's answer. */
    public CallResult returning(String stored) {
        return new CallResult(failure, stored, at, latencyMs);
    }

    /** Returns whether the agent completed the request or is working on it. */
    public boolean succeeded() {
        return failure.isEmpty();
    }
}
