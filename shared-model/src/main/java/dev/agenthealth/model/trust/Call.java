package dev.agenthealth.model.trust;

import java.time.Instant;

/**
 * An invocation through the gateway as far as the online status asks for it.
 *
 * @param success whether it succeeded
 * @param latencyMs how long it took, in milliseconds
 * @param at when it was over
 */
public record Call(boolean success, long latencyMs, Instant at) {}
