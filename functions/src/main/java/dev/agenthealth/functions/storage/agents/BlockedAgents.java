package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.BlockStore.InForce;
import dev.agenthealth.model.health.VerdictReason.Facts;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/**
 * The agents that the gateway refuses to call because of a block. A block or a stop concerns the agent, the provider that it names, or any provider
 * of its owner's key. Owners' keys are read only if a provider is blocked, and each key is read once. For one request; not thread-safe.
 */
public final class BlockedAgents {

    private final InForce inForce;
    private final KeyStore keys;
    private final Map<String, Boolean> blockedOwners = new HashMap<>();

    private BlockedAgents(InForce inForce, KeyStore keys) {
        this.inForce = inForce;
        this.keys = keys;
    }

    /** Returns the blocks as of now. */
    public static BlockedAgents now(Database database) {
        return new BlockedAgents(new BlockStore(database).inForce(), new KeyStore(database));
    }

    /** Returns the facts for the verdict on an agent. */
    public Facts facts(ListedAgent agent, Instant now) {
        Facts facts = Facts.of(
                        isProviderBlocked(agent),
                        inForce.agents().contains(agent.pulse().agentId()),
                        agent.pulse(),
                        agent.health(),
                        now)
                .stopped(inForce.stops().of(agent.pulse()).isPresent());
        return facts.with(inForce.upstreams().of(agent.pulse().agentId()))
                .sharing(inForce.shared()
                        .of(
                                agent.pulse().coordination().roleNumber(),
                                agent.pulse().owner().keyId(),
                                now));
    }

    private boolean isProviderBlocked(ListedAgent agent) {
        return !inForce.providers().isEmpty()
                && (inForce.providers().contains(agent.profile().providerId())
                        || blockedOwners.computeIfAbsent(agent.pulse().owner().keyId(), this::hasBlockedProvider));
    }

    private boolean hasBlockedProvider(String keyId) {
        return !Collections.disjoint(keys.providers(keyId).ids(), inForce.providers());
    }
}
