package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.putText;
import static dev.agenthealth.functions.storage.dynamo.Values.text;

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
 * Writes the tags of agents that are not archived, by which discovery finds the agents. An agent has one tag for each capability, one for
 * its role and one for the catalogue. Each tag holds the role as a filter. The tags are written in the same transaction as the profile. A
 * further tag is stored under the id of the owner's key.
 */
public final class DiscoveryTags {

    /** The attribute that holds the agent's role. */
    static final String ROLE = "role";

    private final Table registry;

    DiscoveryTags(Table registry) {
        this.registry = registry;
    }

    /**
     * Updates an agent's tags after its profile changed. Unchanged tags are not written.
     *
     * @param before empty if the agent has no tags
     */
    void replace(Transaction transaction, Optional<AgentProfile> before, AgentProfile after) {
        Map<String, Map<String, AttributeValue>> old =
                before.map(DiscoveryTags::of).orElse(Map.of());
        Map<String, Map<String, AttributeValue>> wanted = of(after);
        wanted.forEach((partition, tag) -> {
            if (!tag.equals(old.get(partition))) {
                transaction.put(registry, tag);
            }
        });
        old.forEach((partition, tag) -> {
            if (!wanted.containsKey(partition)) {
                transaction.delete(registry, Attributes.keyOf(tag));
            }
        });
    }

    /**
     * Updates the tag under the key of an agent's owner, if the owner changed. All agents of a key share a partition.
     *
     * @param before the previous owner, whose tag is removed; {@link Owner#NONE} if there is no tag
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
        of(profile).values().forEach(tag -> transaction.delete(registry, Attributes.keyOf(tag)));
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

    /** Returns the tags of a profile by their partitions. An agent has one tag in a partition. */
    public static Map<String, Map<String, AttributeValue>> of(AgentProfile profile) {
        Map<String, Map<String, AttributeValue>> tags = new HashMap<>();
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
            Map<String, Map<String, AttributeValue>> tags, Map<String, AttributeValue> key, AgentProfile profile) {
        Map<String, AttributeValue> item = Attributes.item(key);
        putText(item, ROLE, profile.roleId());
        tags.put(text(key, Attributes.PK), item);
    }
}
