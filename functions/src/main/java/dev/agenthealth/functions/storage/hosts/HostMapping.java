package dev.agenthealth.functions.storage.hosts;

import java.time.Instant;

/**
 * Which agent's health a host shows.
 *
 * @param host the host's name, in lower case
 * @param agentId the agent
 * @param updatedAt when an administrator last said so
 */
public record HostMapping(String host, String agentId, Instant updatedAt) {}
