package dev.agenthealth.model.health.statistics;

import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.health.trust.Stops;
import dev.agenthealth.model.registry.usage.SharedUsages;
import java.time.Instant;
import java.util.Set;

/**
 * Computes the verdict on an agent from its row, the blocks in force and the limits that it shares. The block of a provider applies to an agent if its row names the provider,
 * or its owner's key has it.
 *
 * @param blockedAgents the ids of blocked agents
 * @param blockedProviders the numbers of blocked providers
 * @param blockedOwners the ids of the keys that have a blocked provider
 * @param stops the stops in force
 * @param shared the limits of roles and owners that are nearly or wholly used
 * @param now the moment of the verdict
 */
public record VerdictRule(
        Set<String> blockedAgents,
        Set<Long> blockedProviders,
        Set<String> blockedOwners,
        Stops stops,
        SharedUsages shared,
        Instant now) {

    public VerdictRule {
        blockedAgents = Set.copyOf(blockedAgents);
        blockedProviders = Set.copyOf(blockedProviders);
        blockedOwners = Set.copyOf(blockedOwners);
    }

    /** Creates the rule without stops and shared limits. */
    public VerdictRule(Set<String> blockedAgents, Set<Long> blockedProviders, Set<String> blockedOwners, Instant now) {
        this(blockedAgents, blockedProviders, blockedOwners, Stops.NONE, SharedUsages.NONE, now);
    }

    /** Returns the verdict on one agent. */
    public Verdict of(FleetRow row) {
        return Facts.of(
                        blockedProviders.contains(row.summary().providerNumber())
                                || blockedOwners.contains(row.pulse().owner().keyId()),
                        blockedAgents.contains(row.pulse().agentId())
                                || stops.of(row.pulse()).isPresent(),
                        row.pulse(),
                        row.summary(),
                        now)
                .sharing(shared.of(
                        row.pulse().coordination().roleNumber(),
                        row.pulse().owner().keyId(),
                        now))
                .verdict();
    }
}
