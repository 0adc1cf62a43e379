package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items by which living agents are found: one for each capability and one for the role, each with the role, which is
 * filtered by. They are written in the transaction of the profile they come from.
 */
public final class DiscoveryTags {

    /** The attribute that holds the agent's role. */
    static final String ROLE = "role";

    private final String table;

    DiscoveryTags(String table) {
        this.table = table;
    }

    /** Adds the tags of a profile. */
    void write(Transactions.Items items, AgentProfile profile) {
        of(profile).values().forEach(tag -> items.put(table, tag));
    }

    /**
     * Adds what turns the tags of one profile into those of another of the same agent; what both have is not written.
     *
     * @param before empty where the agent has no tags
     */
    void replace(Transactions.Items items, Optional<AgentProfile> before, AgentProfile after) {
        Map<String, Map<String, AttributeValue>> old =
                before.map(DiscoveryTags::of).orElse(Map.of());
        Map<String, Map<String, AttributeValue>> wanted = of(after);
        wanted.forEach((partition, tag) -> {
            if (!tag.equals(old.get(partition))) {
                items.put(table, tag);
            }
        });
        old.keySet().stream()
                .filter(partition -> !wanted.containsKey(partition))
                .forEach(partition -> items.delete(table, RegistryKeys.key(partition, after.agentId())));
    }

    /** Takes the tags of a profile away. */
    void remove(Transactions.Items items, AgentProfile profile) {
        of(profile).keySet().forEach(partition -> items.delete(table, RegistryKeys.key(partition, profile.agentId())));
    }

    /** The tags of a profile by their partitions. */
    public static Map<String, Map<String, AttributeValue>> of(AgentProfile profile) {
        Map<String, Map<String, AttributeValue>> tags = new TreeMap<>();
        for (String capability : profile.capabilities()) {
            tags.put(RegistryKeys.capability(capability), tag(RegistryKeys.capability(capability), profile));
        }
        if (!profile.roleId().isEmpty()) {
            tags.put(RegistryKeys.role(profile.roleId()), tag(RegistryKeys.role(profile.roleId()), profile));
        }
        return tags;
    }

    private static Map<String, AttributeValue> tag(String partition, AgentProfile profile) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.key(partition, profile.agentId()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        if (!profile.roleId().isEmpty()) {
            item.put(ROLE, s(profile.roleId()));
        }
        return item;
    }
}
