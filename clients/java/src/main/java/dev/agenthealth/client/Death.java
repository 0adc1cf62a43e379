package dev.agenthealth.client;

/**
 * The registry considers the agent dead: its leases expired, and other agents may do its work (RFC-0016 §4.6). Work under leases has to
 * stop. The agent registers again afterwards, unless its {@link DeathPolicy} differs.
 *
 * @param agentId the agent
 * @param incarnation the incarnation that ended
 */
public record Death(String agentId, long incarnation) {}
