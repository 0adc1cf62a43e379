package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.storage.agents.RegistrationStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.identity.ProviderGrants;
import dev.agenthealth.model.registry.usage.LimitHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the stored state that the registration of an id depends on, in one request. Thread-safe. */
final class RegistrationLookup {

    private final RegistrationStore registrations;
    private final BlockStore blocks;
    private final KeyStore keys;

    RegistrationLookup(Database database) {
        this.registrations = new RegistrationStore(database);
        this.blocks = new BlockStore(database);
        this.keys = new KeyStore(database);
    }

    /**
     * The stored state.
     *
     * @param agent the agent that the registration continues; empty for an unknown id
     * @param role the state of the agent's role
     * @param keyId the id of the key that was looked up; empty for no key
     * @param providers the providers that were granted to the key; empty if they are not stored with it
     * @param blocks the block of the agent, the stops in force, and the use of the key's limits
     */
    record Found(
            Optional<StoredAgent> agent,
            GroupStore.Role role,
            String keyId,
            Optional<ProviderGrants> providers,
            BlockStore.Blocks blocks) {

        /** Returns the providers of an owner; empty if they were not looked up. */
        Optional<ProviderGrants> providers(Owner owner) {
            return owner.keyId().equals(keyId) ? providers : Optional.empty();
        }

        /** Returns the blocks for a registration that shares the limits of these holders. Reads them if other holders were looked up. */
        BlockStore.Blocks decided(BlockStore store, String agentId, List<LimitHolder> holders) {
            return holders.equals(holders(keyId)) ? blocks : store.atRegistration(agentId, holders);
        }
    }

    /**
     * Reads the state as of now.
     *
     * @param roleId empty for no role
     * @param keyId the id of the key whose grants and limits are read; empty for no key
     */
    Found find(String agentId, String roleId, String keyId) {
        List<Map<String, AttributeValue>> ofKey = keyId.isEmpty() ? List.of() : keys.keysOfProviders(keyId);
        List<Map<String, AttributeValue>> others =
                new ArrayList<>(BlockStore.keysAtRegistration(agentId, holders(keyId)));
        others.addAll(roleId.isEmpty() ? List.of() : GroupStore.keysOfRole(roleId));
        others.addAll(ofKey);
        Database.Items items = registrations.itemsToRegister(agentId, others);
        return new Found(
                registrations.toRegister(agentId, items),
                roleId.isEmpty() ? GroupStore.Role.NONE : GroupStore.role(roleId, items.registry()),
                keyId,
                ofKey.isEmpty() ? Optional.empty() : Optional.of(keys.providersIn(items)),
                blocks.atRegistration(agentId, items));
    }

    /** Returns the owner of an agent; empty for an unknown id. */
    Optional<Owner> owner(String agentId) {
        return find(agentId, "", "").agent().map(agent -> agent.pulse().owner());
    }

    private static List<LimitHolder> holders(String keyId) {
        return keyId.isEmpty() ? List.of() : List.of(LimitHolder.owner(keyId));
    }
}
