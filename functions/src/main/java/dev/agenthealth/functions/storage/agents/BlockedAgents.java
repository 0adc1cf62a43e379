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
 * The agents that the gateway refuses to call because of a block: of the agent, of the provider that it names, or of any provider of the key that
 * owns it. The owners' keys are read only where a provider is blocked, each once. For one request; not thread-safe.
 */
public final class BlockedAgents {

    private final InForce inForce;
    private final KeyStore keys;
    private final Map<String, Boolean> blockedOwners = new HashMap<>();

    private BlockedAgents(InForce inForce, KeyStore keys) {
        this.inForce = inForce;
        this.keys = keys;
    }

    /** The blocks as they are now. */
    public static BlockedAgents now(Database database) {
        return new BlockedAgents(new BlockStore(database).inForce(), new KeyStore(database));
    }

    /** The facts of which the verdict of an agent is made. */
    public Facts facts(ListedAgent agent, Instant now) {
        return Facts.of(
                isProviderBlocked(agent),
                inForce.agents().contains(agent.pulse().agentId()),
                agent.pulse(),
                agent.health(),
                now);
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
