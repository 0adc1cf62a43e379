package dev.agenthealth.model.health.trust;

import java.time.Instant;

/**
 * The part of an invocation through the gateway that the online status needs.
 *
 * @param success whether the call succeeded
 * @param latencyMs the duration in milliseconds
 * @param limitMs the latency in milliseconds above which the agent was too slow at the time of the call; {@link #NO_LIMIT} without a declared
 *     baseline
 * @param at the end of the call
 */
public record Call(boolean success, long latencyMs, double limitMs, Instant at) {

    /** The limit of an agent that declares no baseline latency. */
    public static final double NO_LIMIT = Double.POSITIVE_INFINITY;

    /** Creates a call of an agent without a latency limit. */
    public Call(boolean success, long latencyMs, Instant at) {
        this(success, latencyMs, NO_LIMIT, at);
    }

    /** Returns the latency divided by the limit. The call was too slow if it is above 1. */
    double latencyRatio() {
        return latencyMs / limitMs;
    }

    /** Returns this call with another limit. */
    Call limitedTo(double otherLimitMs) {
        return new Call(success, latencyMs, otherLimitMs, at);
    }
}
