package dev.agenthealth.functions.storage.pulses;

import static dev.agenthealth.functions.storage.dynamo.Values.b;
import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.lifecycle.Workload;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The hot path: what a heartbeat reads and writes. One conditional update does everything as long as nothing changes; its
 * returned row answers authentication, 404 or 410, drain and task list. Thread-safe.
 */
public final class PulseStore {

    private static final String COUNT_ACTIVE = "#k = :k AND (#s = :active OR #s = :draining)";
    private static final String COUNT_DRAINING = "#k = :k AND #s = :draining";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;

    public PulseStore(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
    }

    /**
     * Counts a heartbeat, if the key is the one that registered the agent and the heartbeat changes no status: one request, one
     * write unit.
     *
     * @throws StorageBusyException where a transaction is in the way for longer than the patience there is
     */
    public HeartbeatResult beat(String agentId, KeyHash key, Heartbeat heartbeat, Instant now) {
        Map<String, String> names = new HashMap<>(Map.of(
                "#k",
                PulseItem.CREDENTIAL,
                "#s",
                PulseItem.STATUS,
                "#h",
                PulseItem.LAST_HEARTBEAT,
                "#n",
                PulseItem.BEATS));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":k", b(key.bytes()),
                ":draining", s(StatusShard.letter(LifecycleStatus.DRAINING)),
                ":now", n(now.toEpochMilli()),
                ":one", n(1)));
        if (!heartbeat.draining()) {
            values.put(":active", s(StatusShard.letter(LifecycleStatus.ACTIVE)));
        }
        String set = "SET #h = :now";
        if (heartbeat.load() != Workload.NOT_REPORTED) {
            set += ", #l = :load";
            names.put("#l", PulseItem.LOAD);
            values.put(":load", n(heartbeat.load()));
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.pulses())
                .key(PulseItem.key(agentId))
                .updateExpression(set + " ADD #n :one")
                .conditionExpression(heartbeat.draining() ? COUNT_DRAINING : COUNT_ACTIVE)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        try {
            return new HeartbeatResult.Counted(
                    PulseItem.read(retries.call("heartbeat", () -> dynamoDb.updateItem(request))
                            .attributes()));
        } catch (ConditionalCheckFailedException e) {
            return e.hasItem() && !e.item().isEmpty()
                    ? new HeartbeatResult.NotCounted(PulseItem.read(e.item()))
                    : new HeartbeatResult.NoPulse();
        }
    }

    /** The pulse of an agent as of now; empty where it has none. */
    public Optional<Pulse> find(String agentId) {
        Map<String, AttributeValue> item = retries.call(
                        "read of a pulse",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.pulses())
                                .key(PulseItem.key(agentId))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(PulseItem.read(item));
    }
}
