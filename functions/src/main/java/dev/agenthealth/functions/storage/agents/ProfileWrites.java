package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** The writes of a profile: its two items, and what the pulse's row repeats of it. */
final class ProfileWrites {

    private ProfileWrites() {}

    /** The first profile of an id. */
    static void first(Transactions.Items items, String table, AgentProfile profile) {
        items.put(table, ProfileItem.of(profile, 1));
        items.put(table, ProfileItem.metadata(profile, 1));
    }

    /** The profile that follows the one of the seen revision; only if that is still the last. */
    static void replace(Transactions.Items items, String table, AgentProfile profile, long seenRevision) {
        items.put(Put.builder()
                .tableName(table)
                .item(ProfileItem.of(profile, seenRevision + 1))
                .conditionExpression("attribute_not_exists(#pk) OR #r = :r")
                .expressionAttributeNames(Map.of("#pk", RegistryKeys.PK, "#r", ProfileItem.REVISION))
                .expressionAttributeValues(Map.of(":r", n(seenRevision))));
        items.put(table, ProfileItem.metadata(profile, seenRevision + 1));
    }

    /** What a profile change alters in the row; only if version and incarnation are as they were seen. */
    static Update.Builder ofRow(String table, Pulse seen, Pulse after, AgentProfile profile) {
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":w", n(after.version()),
                ":i", n(after.config().intervalSeconds()),
                ":u", n(after.config().unhealthyAfterSeconds()),
                ":d", n(after.config().deadAfterSeconds()),
                ":c", n(seen.incarnation()),
                ":seenW", n(seen.version())));
        Map<String, String> names = new HashMap<>(Map.of(
                "#w", PulseItem.VERSION,
                "#i", PulseItem.INTERVAL,
                "#u", PulseItem.UNHEALTHY_AFTER,
                "#d", PulseItem.DEAD_AFTER,
                "#c", PulseItem.INCARNATION));
        Map<String, Long> optional = new LinkedHashMap<>();
        optional.put(PulseItem.MAX_TASKS, (long) after.workload().maxConcurrentTasks());
        optional.put(PulseItem.PROVIDER_NUMBER, GroupNumber.of(profile.providerId()));
        optional.put(PulseItem.PLATFORM_NUMBER, GroupNumber.of(profile.platform()));
        StringBuilder set = new StringBuilder("SET #w = :w, #i = :i, #u = :u, #d = :d");
        List<String> removed = new ArrayList<>();
        optional.forEach((name, number) -> {
            names.put("#" + name, name);
            if (number > 0) {
                set.append(", #").append(name).append(" = :").append(name);
                values.put(":" + name, n(number));
            } else {
                removed.add("#" + name);
            }
        });
        return Update.builder()
                .tableName(table)
                .key(PulseItem.key(profile.agentId()))
                .updateExpression(set + (removed.isEmpty() ? "" : " REMOVE " + String.join(", ", removed)))
                .conditionExpression("#c = :c AND #w = :seenW")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values);
    }
}
