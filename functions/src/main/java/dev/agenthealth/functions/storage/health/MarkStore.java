package dev.agenthealth.functions.storage.health;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.functions.storage.dynamo.Transactions;
import dev.agenthealth.functions.storage.outcomes.SliceItem;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Which agents' health is to be computed again, and when: marks, found by their due time. A change of outcomes marks the part of the slice that
 * it is written to, in the same write; everything else, and what time brings about, marks the agent's health.
 *
 * <p>A mark is set with or after the change that is its reason, and {@link MeasurementStore} settles it only if no reason came since it was
 * read: a change is never missed, and at worst computed twice. Setting a mark that is set already writes no index. Thread-safe.
 */
public final class MarkStore {

    private static final String INDEX = "due";
    private static final String SET = "SET #dp = :dp, #ds = :ds, #since = if_not_exists(#since, :now), #v = :v";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;
    private final Clock clock;

    public MarkStore(DynamoDbClient dynamoDb, Tables tables, Retries retries, Clock clock) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
        this.clock = clock;
    }

    /** Has the health of an agent computed as soon as possible. */
    public void mark(String agentId) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.health(agentId))
                .updateExpression(SET + " ADD #n :one")
                .expressionAttributeNames(names())
                .expressionAttributeValues(values(agentId, tables, clock.instant()))
                .build();
        retries.call("mark", () -> dynamoDb.updateItem(request));
    }

    /**
     * Has the health of an agent computed as soon as possible once the transaction is written, which also says at once whether the agent is
     * personal: nobody waits to be less exposed.
     */
    public static void mark(Transactions.Items items, Tables tables, AgentProfile profile, Instant now) {
        Map<String, String> names = names();
        Map<String, AttributeValue> values = values(profile.agentId(), tables, now);
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

    /** How many shards the marks are put into that are set now. */
    public int shards() {
        return tables.duePartitions();
    }

    /** How many shards there may be with marks: of times with more of them, or put by somebody who has not heard of another number. */
    public int allShards() {
        return Tables.MAX_DUE_PARTITIONS;
    }

    /**
     * The agents of a shard whose health is due.
     *
     * @param shard from 0 to {@link #allShards} - 1
     * @param limit the most marks that are read; an agent may have several
     */
    public DueAgents due(int shard, Instant now, int limit) {
        Map<String, Set<Slice>> agents = new LinkedHashMap<>();
        int marks = 0;
        Map<String, AttributeValue> start = Map.of();
        do {
            QueryRequest request = QueryRequest.builder()
                    .tableName(tables.registry())
                    .indexName(INDEX)
                    .keyConditionExpression("#dp = :dp AND #ds <= :now")
                    .expressionAttributeNames(Map.of("#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK))
                    .expressionAttributeValues(
                            Map.of(":dp", s(MarkItem.partition(shard)), ":now", s(MarkItem.dueAt(now))))
                    .limit(limit - marks)
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            QueryResponse response = retries.call("due marks", () -> dynamoDb.query(request));
            for (Map<String, AttributeValue> key : response.items()) {
                Set<Slice> changed = agents.computeIfAbsent(agentId(key), id -> new TreeSet<>());
                if (SliceItem.isPart(key.get(RegistryKeys.SK).s())) {
                    changed.add(SliceItem.slice(key));
                }
            }
            marks += response.items().size();
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && marks < limit);
        return new DueAgents(
                agents.entrySet().stream()
                        .map(entry -> new DueAgent(entry.getKey(), entry.getValue()))
                        .toList(),
                marks == limit);
    }

    private static Map<String, String> names() {
        return new HashMap<>(Map.of(
                "#dp", RegistryKeys.DUE_PK,
                "#ds", RegistryKeys.DUE_SK,
                "#since", MarkItem.DUE_SINCE,
                "#v", RegistryKeys.SCHEMA_NUMBER,
                "#n", MarkItem.NUMBER));
    }

    private static Map<String, AttributeValue> values(String agentId, Tables tables, Instant now) {
        return new HashMap<>(Map.of(
                ":dp", s(MarkItem.partition(agentId, tables)),
                ":ds", s(MarkItem.AT_ONCE),
                ":now", n(now.toEpochMilli()),
                ":v", n(RegistryKeys.SCHEMA),
                ":one", n(1)));
    }

    private static String agentId(Map<String, AttributeValue> key) {
        return key.get(RegistryKeys.PK).s().substring(RegistryKeys.agent("").length());
    }
}
