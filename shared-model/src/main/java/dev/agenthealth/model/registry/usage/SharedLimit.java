package dev.agenthealth.model.registry.usage;

/**
 * The limits that the agents of a role or an owner share.
 *
 * @param limits the declared limits, at least one
 */
public record SharedLimit(LimitHolder holder, UsageLimits limits) {}
