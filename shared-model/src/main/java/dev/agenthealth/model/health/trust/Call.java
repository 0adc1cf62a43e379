package dev.agenthealth.model.health.trust;

import java.time.Instant;

/**
 * The part of an invocation through the gateway that the online status needs.
 *
 * @param success whether it succeeded
 * @param latencyMs how long it took, in milliseconds
 * @param limitMs the latency above which its agent was too slow when it was called, in milliseconds; {@link #NO_LIMIT} where it declared none
 * @param at when it was over
 */
public record Call(boolean success, long latencyMs, double limitMs, Instant at) {

    /** The limit of an agent that declares no baseline latency. */
    public static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    /** A call of an agent without a latency limit. */
    public Call(boolean success, long latencyMs, Instant at) {
        this(success, latencyMs, NO_LIMIT, at);
    }

    /** The latency relative to the limit: above 1 it is too long. */
    double latencyRatio() {
        return latencyMs / limitMs;
    }

    /** Returns the call with another limit. */
    Call limitedTo(double otherLimitMs) {
        return new Call(success, latencyMs, otherLimitMs, at);
    }
}
