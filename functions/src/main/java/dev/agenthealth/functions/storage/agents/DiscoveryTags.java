package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.putText;

import dev.agenthealth.functions.storage.dynamo.Attributes;
import dev.agenthealth.functions.storage.dynamo.ItemKind;
import dev.agenthealth.functions.storage.dynamo.Query;
import dev.agenthealth.functions.storage.dynamo.Table;
import dev.agenthealth.functions.storage.dynamo.Transaction;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items by which agents are found that are not archived: one for each capability, one for the role and one for the
 * catalogue, each with the role, which is filtered by. They are written in the transaction of the profile they come from. One more stands
 * below the id of the owner key.
 */
public final class DiscoveryTags {

    /** The attribute that holds the agent's role. */
    static final String ROLE = "role";

    private final Table registry;

    DiscoveryTags(Table registry) {
        this.registry = registry;
    }

    /**
     * Adds what turns the tags of one profile into those of another of the same agent; what both have is not written.
     *
     * @param before empty where the agent has no tags
     */
    void replace(Transaction transaction, Optional<AgentProfile> before, AgentProfile after) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> old =
                before.map(DiscoveryTags::of).orElse(Map.of());
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> wanted = of(after);
        wanted.forEach((key, tag) -> {
            if (!tag.equals(old.get(key))) {
                transaction.put(registry, tag);
            }
        });
        old.keySet().stream().filter(key -> !wanted.containsKey(key)).forEach(key -> transaction.delete(registry, key));
    }

    /**
     * Adds the entry of an agent's owner, where it has another one than before: all agents of a key share a partition.
     *
     * @param before the owner before, whose entry is removed; {@link Owner#NONE} where there is no entry
     */
    void putOwner(Transaction transaction, String agentId, Owner before, Owner after) {
        Map<String, AttributeValue> key = ownerKey(after, agentId);
        if (before.equals(Owner.NONE)) {
            transaction.put(registry, Attributes.item(key));
        } else if (!ownerKey(before, agentId).equals(key)) {
            transaction.put(registry, Attributes.item(key));
            transaction.delete(registry, ownerKey(before, agentId));
        }
    }

    /** Removes the tags of an agent. */
    void remove(Transaction transaction, AgentProfile profile, Pulse pulse) {
        of(profile).keySet().forEach(key -> transaction.delete(registry, key));
        if (!pulse.owner().equals(Owner.NONE)) {
            transaction.delete(registry, ownerKey(pulse.owner(), pulse.agentId()));
        }
    }

    /** Returns the query of the agents of a caller. */
    static Query ownedBy(Caller caller) {
        return Query.partition(ItemKind.OWNER_TAG.partition(caller.keyId()));
    }

    private static Map<String, AttributeValue> ownerKey(Owner owner, String agentId) {
        return ItemKind.OWNER_TAG.key(owner.keyId(), agentId);
    }

    /** The tags of a profile by their keys. */
    public static Map<Map<String, AttributeValue>, Map<String, AttributeValue>> of(AgentProfile profile) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> tags = new HashMap<>();
        for (String capability : profile.agentInterface().capabilities()) {
            put(tags, ItemKind.CAPABILITY_TAG.key(capability, profile.agentId()), profile);
        }
        if (!profile.roleId().isEmpty()) {
            put(tags, ItemKind.ROLE_TAG.key(profile.roleId(), profile.agentId()), profile);
        }
        if (profile.description().inCatalogue()) {
            put(tags, ItemKind.CATALOGUE_TAG.key(profile.agentId()), profile);
        }
        return tags;
    }

    private static void put(
            Map<Map<String, AttributeValue>, Map<String, AttributeValue>> tags,
            Map<String, AttributeValue> key,
            AgentProfile profile) {
        Map<String, AttributeValue> item = Attributes.item(key);
        putText(item, ROLE, profile.roleId());
        tags.put(key, item);
    }
}
