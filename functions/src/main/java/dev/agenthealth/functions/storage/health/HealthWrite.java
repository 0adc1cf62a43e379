package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.health.AgentHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** One update of a health item: the health, the mark, or both, each under the condition that it is as it was read. Not thread-safe. */
final class HealthWrite {

    private final String agentId;
    private final List<String> sets = new ArrayList<>();
    private final List<String> removes = new ArrayList<>();
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();

    HealthWrite(String agentId) {
        this.agentId = agentId;
    }

    /** Writes a health in place of the one with this revision; 0 where there was none. */
    HealthWrite health(AgentHealth health, long seenRevision) {
        Map<String, AttributeValue> attributes = HealthItem.attributes(health);
        for (String name : HealthItem.ATTRIBUTES) {
            if (attributes.containsKey(name)) {
                set(name, attributes.get(name));
            } else {
                remove(name);
            }
        }
        set(RegistryKeys.SCHEMA_NUMBER, n(RegistryKeys.SCHEMA));
        set(HealthItem.REVISION, n(seenRevision + 1));
        if (seenRevision == 0) {
            conditions.add("attribute_not_exists(#" + HealthItem.REVISION + ")");
        } else {
            conditions.add("#" + HealthItem.REVISION + " = :seenRevision");
            values.put(":seenRevision", n(seenRevision));
        }
        return this;
    }

    /** Writes nothing where there is no item: the agent may have been erased. */
    HealthWrite existing() {
        conditions.add("attribute_exists(#" + RegistryKeys.PK + ")");
        names.put("#" + RegistryKeys.PK, RegistryKeys.PK);
        return this;
    }

    /** Settles the mark until {@code next}. */
    HealthWrite settling(Mark seen, Instant next, Tables tables) {
        remove(MarkItem.LATE);
        remove(MarkItem.DUE_SINCE);
        if (next.equals(Instant.MAX)) {
            remove(RegistryKeys.DUE_PK);
            remove(RegistryKeys.DUE_SK);
        } else {
            set(RegistryKeys.DUE_PK, s(MarkItem.partition(agentId, tables)));
            set(RegistryKeys.DUE_SK, s(MarkItem.dueAt(next)));
        }
        names.put("#" + MarkItem.NUMBER, MarkItem.NUMBER);
        if (seen.number() == 0) {
            conditions.add("attribute_not_exists(#" + MarkItem.NUMBER + ")");
        } else {
            conditions.add("#" + MarkItem.NUMBER + " = :seenNumber");
            values.put(":seenNumber", n(seen.number()));
        }
        return this;
    }

    UpdateItemRequest alone(String table) {
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(RegistryKeys.health(agentId))
                .updateExpression(expression())
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values.isEmpty() ? null : values)
                .build();
    }

    Update.Builder inTransaction(String table) {
        return Update.builder()
                .tableName(table)
                .key(RegistryKeys.health(agentId))
                .updateExpression(expression())
                .conditionExpression(String.join(" AND ", conditions))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values);
    }

    private String expression() {
        List<String> parts = new ArrayList<>();
        if (!sets.isEmpty()) {
            parts.add("SET " + String.join(", ", sets));
        }
        if (!removes.isEmpty()) {
            parts.add("REMOVE " + String.join(", ", removes));
        }
        return String.join(" ", parts);
    }

    private void set(String name, AttributeValue value) {
        names.put("#" + name, name);
        values.put(":" + name, value);
        sets.add("#" + name + " = :" + name);
    }

    private void remove(String name) {
        names.put("#" + name, name);
        removes.add("#" + name);
    }
}
