package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.n;

import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Values;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Coordination;
import dev.agenthealth.model.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The rows of the registry's own canaries: pulses in no index, marked so that nobody lists or counts them. Thread-safe.
 */
public final class CanaryStore {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;

    public CanaryStore(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
    }

    /** Puts the row of a canary that has not beaten yet. */
    public void place(String canaryId, KeyHash credential, Instant now) {
        Map<String, AttributeValue> item = new HashMap<>(
                PulseItem.of(Pulse.first(canaryId, HeartbeatConfig.DEFAULT, 0, Coordination.NONE, credential, now)));
        item.remove(PulseItem.STATUS_SHARD);
        item.put(PulseItem.CANARY, n(1));
        retries.call(
                "canary",
                () -> dynamoDb.putItem(r -> r.tableName(tables.pulses()).item(item)));
    }

    /** Whether the canary's heartbeat is stored. */
    public boolean hasBeaten(String canaryId) {
        Map<String, AttributeValue> item = retries.call(
                        "canary",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.pulses())
                                .key(PulseItem.key(canaryId))
                                .consistentRead(true)))
                .item();
        return Values.number(item, PulseItem.BEATS, 0) > 0;
    }

    /** Takes the row of a canary away; does nothing where it is gone already. */
    public void remove(String canaryId) {
        retries.call(
                "canary",
                () -> dynamoDb.deleteItem(r -> r.tableName(tables.pulses()).key(PulseItem.key(canaryId))));
    }
}
