package dev.agenthealth.functions.storage.agents;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.pulses.PulseItem;
import dev.agenthealth.functions.storage.pulses.TransitionWrites;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Update;

/**
 * The writes that move the row of a gone agent to its tombstone: only if the row is as it was seen and nothing is left to be cleaned up. From
 * then on everything about the agent expires together.
 */
final class ArchivalWrites {

    private ArchivalWrites() {}

    static void add(Transactions.Items items, Tables tables, Pulse seen, Instant now) {
        Map<String, String> names = TransitionWrites.seenNames();
        names.put("#z", PulseItem.CLEAN_UP_OF);
        items.delete(Delete.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(seen.agentId()))
                .conditionExpression(TransitionWrites.AS_SEEN + " AND attribute_not_exists(#z)")
                .expressionAttributeNames(names)
                .expressionAttributeValues(TransitionWrites.seenValues(seen)));
        items.put(tables.registry(), TombstoneItem.of(seen, now));
        items.delete(tables.registry(), RegistryKeys.tasks(seen.agentId()));
        for (Map<String, AttributeValue> key : List.of(
                RegistryKeys.profile(seen.agentId()),
                RegistryKeys.metadata(seen.agentId()),
                RegistryKeys.health(seen.agentId()))) {
            items.update(Update.builder()
                    .tableName(tables.registry())
                    .key(key)
                    .updateExpression("SET #ttl = :ttl")
                    .expressionAttributeNames(Map.of("#ttl", RegistryKeys.EXPIRES))
                    .expressionAttributeValues(Map.of(":ttl", n(TombstoneItem.expiry(now)))));
        }
    }
}
