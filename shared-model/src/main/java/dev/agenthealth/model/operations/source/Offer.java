package dev.agenthealth.model.operations.source;

/**
 * An entry that a source offers now.
 *
 * @param identifier the name of the entry in the source
 * @param agentId the id of its agent
 * @param digest the digest of its whole declaration
 */
public record Offer(String identifier, String agentId, String digest) {}
