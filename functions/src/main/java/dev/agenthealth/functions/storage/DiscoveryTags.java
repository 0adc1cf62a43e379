package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;
import static dev.agenthealth.functions.storage.Values.s;
import static dev.agenthealth.functions.storage.Values.text;

import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The items by which a living agent is found: one a capability, one for its role, one for the key that registered it. Each carries the role,
 * which is filtered by.
 */
final class DiscoveryTags {

    private DiscoveryTags() {}

    /** The tags of an agent. */
    static List<Map<String, AttributeValue>> of(AgentProfile profile, KeyHash owner) {
        List<Map<String, AttributeValue>> tags = new ArrayList<>();
        for (String capability : new TreeSet<>(profile.capabilities())) {
            tags.add(tag(RegistryKeys.capability(capability), profile));
        }
        if (!profile.roleId().isEmpty()) {
            tags.add(tag(RegistryKeys.role(profile.roleId()), profile));
        }
        if (!owner.isNone()) {
            tags.add(tag(RegistryKeys.owner(owner.hex()), profile));
        }
        return tags;
    }

    /** The tags to be put so that {@code before} becomes {@code after}. */
    static List<Map<String, AttributeValue>> added(
            List<Map<String, AttributeValue>> before, List<Map<String, AttributeValue>> after) {
        List<Map<String, AttributeValue>> added = new ArrayList<>(after);
        added.removeAll(before);
        return added;
    }

    /** The keys of the tags to be deleted so that {@code before} becomes {@code after}. */
    static List<Map<String, AttributeValue>> stale(
            List<Map<String, AttributeValue>> before, List<Map<String, AttributeValue>> after) {
        // A tag that only changes what it carries is put, not deleted: one key, one write.
        List<String> kept =
                after.stream().map(tag -> text(tag, RegistryKeys.PK)).toList();
        return before.stream()
                .filter(tag -> !kept.contains(text(tag, RegistryKeys.PK)))
                .map(tag ->
                        Map.of(RegistryKeys.PK, tag.get(RegistryKeys.PK), RegistryKeys.SK, tag.get(RegistryKeys.SK)))
                .toList();
    }

    private static Map<String, AttributeValue> tag(String partition, AgentProfile profile) {
        Map<String, AttributeValue> item = new HashMap<>(RegistryKeys.key(partition, profile.agentId()));
        item.put(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        if (!profile.roleId().isEmpty()) {
            item.put(DiscoveryStore.TAG_ROLE, s(profile.roleId()));
        }
        return item;
    }
}
