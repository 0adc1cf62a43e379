package dev.agenthealth.model.trust;

import java.time.Instant;

/**
 * The part of an invocation through the gateway that the online status needs.
 *
 * @param success whether it succeeded
 * @param latencyMs how long it took, in milliseconds
 * @param at when it was over
 */
public record Call(boolean success, long latencyMs, Instant at) {}
