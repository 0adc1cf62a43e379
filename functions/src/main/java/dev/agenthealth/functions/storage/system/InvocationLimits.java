package dev.agenthealth.functions.storage.system;

import dev.agenthealth.model.gateway.CallerLimit;

/**
 * The part of the configuration item that invocations need.
 *
 * @param ofCaller how often one caller may invoke agents
 * @param maxInFlight synchronous invocations that are under way at the same time, of all callers; 0 where that follows the concurrency of the
 *     account
 */
public record InvocationLimits(CallerLimit ofCaller, int maxInFlight) {}
