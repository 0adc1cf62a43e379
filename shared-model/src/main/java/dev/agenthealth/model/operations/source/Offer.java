package dev.agenthealth.model.operations.source;

/**
 * An entry of a source as it is offered now.
 *
 * @param identifier how the source names it
 * @param agentId the id of its agent
 * @param digest of all that it declares
 */
public record Offer(String identifier, String agentId, String digest) {}
