package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;
import static dev.agenthealth.functions.storage.Values.s;

import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Which agents' health is to be computed again, and when: one mark an agent, found by its due time.
 *
 * <p>A mark is set after the change that is its reason, and {@link MeasurementStore} settles it only if no reason came since it was read: a
 * change is never missed, and at worst computed twice. Setting a mark that is set already writes no index. Thread-safe.
 */
public final class MarkStore {

    /** The due times are spread over so many partitions of the index. */
    public static final int SHARDS = 8;

    private static final String INDEX = "due";
    private static final String SET = "SET #dp = :dp, #ds = :ds, #since = if_not_exists(#since, :now), #v = :v";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;
    private final Clock clock;

    MarkStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
        this.clock = clock;
    }

    /** Has the health of an agent computed as soon as possible. */
    public void mark(String agentId) {
        mark(agentId, Set.of());
    }

    /**
     * Has the health of an agent computed as soon as possible.
     *
     * @param late slices that changed although they may have been read for the last time
     */
    public void mark(String agentId, Set<Slice> late) {
        Map<String, String> names = names();
        Map<String, AttributeValue> values = values(agentId, clock.instant());
        String add = "#n :one";
        if (!late.isEmpty()) {
            names.put("#late", MarkItem.LATE);
            values.put(
                    ":late",
                    AttributeValue.fromSs(
                            late.stream().map(SliceItem::prefix).sorted().toList()));
            add += ", #late :late";
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.health(agentId))
                .updateExpression(SET + " ADD " + add)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        retrying.call("mark", () -> dynamoDb.updateItem(request));
    }

    /**
     * Has the health of an agent computed as soon as possible once the transaction is written, which also says at once whether the agent is
     * personal: nobody waits to be less exposed.
     */
    static void mark(Transactions.Items items, Tables tables, AgentProfile profile, Instant now) {
        Map<String, String> names = names();
        Map<String, AttributeValue> values = values(profile.agentId(), now);
        names.put("#personal", HealthItem.PERSONAL);
        // An agent that comes back from its tombstone no longer expires with it.
        names.put("#ttl", RegistryKeys.EXPIRES);
        String set = profile.personal() ? SET + ", #personal = :one" : SET;
        items.update(Update.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.health(profile.agentId()))
                .updateExpression(set + " REMOVE #ttl" + (profile.personal() ? "" : ", #personal") + " ADD #n :one")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values));
    }

    /**
     * The agents of a shard whose health is due, those due longest first.
     *
     * @param shard from 0 to {@link #SHARDS} - 1
     */
    public List<String> due(int shard, Instant now, int limit) {
        List<String> agents = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .indexName(INDEX)
                    .keyConditionExpression("#dp = :dp AND #ds <= :now")
                    .expressionAttributeNames(Map.of("#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK))
                    .expressionAttributeValues(
                            Map.of(":dp", s(MarkItem.partition(shard)), ":now", s(MarkItem.dueAt(now))))
                    .limit(limit - agents.size())
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            QueryResponse response = retrying.call("due marks", () -> dynamoDb.query(request));
            response.items().forEach(item -> agents.add(agentId(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && agents.size() < limit);
        return agents;
    }

    private static Map<String, String> names() {
        return new HashMap<>(Map.of(
                "#dp", RegistryKeys.DUE_PK,
                "#ds", RegistryKeys.DUE_SK,
                "#since", MarkItem.DUE_SINCE,
                "#v", RegistryKeys.SCHEMA_NUMBER,
                "#n", MarkItem.NUMBER));
    }

    private static Map<String, AttributeValue> values(String agentId, Instant now) {
        return new HashMap<>(Map.of(
                ":dp", s(MarkItem.partition(agentId)),
                ":ds", s(MarkItem.AT_ONCE),
                ":now", n(now.toEpochMilli()),
                ":v", n(RegistryKeys.SCHEMA),
                ":one", n(1)));
    }

    private static String agentId(Map<String, AttributeValue> key) {
        return key.get(RegistryKeys.PK).s().substring(RegistryKeys.agent("").length());
    }
}
