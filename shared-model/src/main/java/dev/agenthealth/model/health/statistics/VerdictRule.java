package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import java.time.Instant;
import java.util.Set;

/**
 * The verdict on an agent by its row and the blocks in force. An agent counts as blocked with the provider that its row names, and with any
 * provider of the key that owns it.
 *
 * @param blockedAgents ids of agents
 * @param blockedProviders numbers of providers
 * @param blockedOwners ids of the keys that are granted a blocked provider
 * @param now the moment of the verdict
 */
public record VerdictRule(
        Set<String> blockedAgents, Set<Long> blockedProviders, Set<String> blockedOwners, Instant now) {

    public VerdictRule {
        blockedAgents = Set.copyOf(blockedAgents);
        blockedProviders = Set.copyOf(blockedProviders);
        blockedOwners = Set.copyOf(blockedOwners);
    }

    /** The verdict on one agent. */
    public Verdict of(FleetRow row) {
        return Facts.of(
                        blockedProviders.contains(row.summary().providerNumber())
                                || blockedOwners.contains(row.pulse().owner().keyId()),
                        blockedAgents.contains(row.pulse().agentId()),
                        row.pulse(),
                        row.summary(),
                        now)
                .verdict();
    }
}
