package dev.agenthealth.functions.storage;

import static dev.agenthealth.functions.storage.Values.n;
import static dev.agenthealth.functions.storage.Values.number;
import static dev.agenthealth.functions.storage.Values.s;

import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Which agents' health is to be computed again, and when: one mark an agent, found by its due time.
 *
 * <p>A mark is set after the change that is its reason, and is settled only if no reason came since it was read: a change is never missed,
 * and at worst computed twice. Setting a mark that is set already writes no index. Thread-safe.
 */
public final class MarkStore {

    /** The due times are spread over so many partitions of the index. */
    public static final int SHARDS = 8;

    private static final String INDEX = "due";
    private static final String NUMBER = "n";
    private static final String LATE = "late";

    /** Before every moment: due at once. */
    private static final String AT_ONCE = "0";

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retrying retrying;

    MarkStore(DynamoDbClient dynamoDb, Tables tables, Retrying retrying) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retrying = retrying;
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
        Map<String, AttributeValue> values = values(agentId);
        String add = "#n :one";
        if (!late.isEmpty()) {
            names.put("#late", LATE);
            values.put(
                    ":late",
                    AttributeValue.fromSs(
                            late.stream().map(SliceItem::prefix).sorted().toList()));
            add += ", #late :late";
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.mark(agentId))
                .updateExpression("SET #dp = :dp, #ds = :ds, #v = :v ADD " + add)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        retrying.call("mark", () -> dynamoDb.updateItem(request));
    }

    /** Has the health of an agent computed as soon as possible once the transaction is written. */
    static void mark(Transactions.Items items, Tables tables, String agentId) {
        items.update(Update.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.mark(agentId))
                .updateExpression("SET #dp = :dp, #ds = :ds, #v = :v ADD #n :one")
                .expressionAttributeNames(names())
                .expressionAttributeValues(values(agentId)));
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
                    .expressionAttributeValues(Map.of(":dp", s(shard(shard)), ":now", s(dueAt(now))))
                    .limit(limit - agents.size())
                    .exclusiveStartKey(start.isEmpty() ? null : start)
                    .build();
            QueryResponse response = retrying.call("due marks", () -> dynamoDb.query(request));
            response.items().forEach(item -> agents.add(agentId(item)));
            start = response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of();
        } while (!start.isEmpty() && agents.size() < limit);
        return agents;
    }

    /** The mark of an agent as of now; empty where none was ever set. */
    public Optional<Mark> find(String agentId) {
        Map<String, AttributeValue> item = retrying.call(
                        "read of a mark",
                        () -> dynamoDb.getItem(r -> r.tableName(tables.registry())
                                .key(RegistryKeys.mark(agentId))
                                .consistentRead(true)))
                .item();
        return item.isEmpty() ? Optional.empty() : Optional.of(read(agentId, item));
    }

    static Mark read(String agentId, Map<String, AttributeValue> item) {
        AttributeValue late = item.get(LATE);
        return new Mark(
                agentId,
                number(item, NUMBER, 0),
                late == null || !late.hasSs()
                        ? Set.of()
                        : late.ss().stream().map(SliceItem::sliceOfPrefix).collect(Collectors.toSet()));
    }

    /**
     * Notes that everything up to this mark was computed; {@code false} where another reason came since, so that the agent stays due.
     *
     * @param next when the health changes by itself; {@link Instant#MAX} for never
     */
    public boolean settle(Mark seen, Instant next) {
        Map<String, String> names = new HashMap<>(Map.of(
                "#dp", RegistryKeys.DUE_PK, "#ds", RegistryKeys.DUE_SK, "#n", NUMBER, "#late", LATE));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(":n", n(seen.number())));
        String update = "REMOVE #late, #dp, #ds";
        if (next.isBefore(Instant.MAX)) {
            update = "SET #ds = :ds, #dp = :dp REMOVE #late";
            values.put(":ds", s(dueAt(next)));
            values.put(":dp", s(shard(shardOf(seen.agentId()))));
        }
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(RegistryKeys.mark(seen.agentId()))
                .updateExpression(update)
                .conditionExpression("#n = :n")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .build();
        try {
            retrying.call("settled mark", () -> dynamoDb.updateItem(request));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    private static Map<String, String> names() {
        return new HashMap<>(Map.of(
                "#dp", RegistryKeys.DUE_PK,
                "#ds", RegistryKeys.DUE_SK,
                "#v", RegistryKeys.SCHEMA_NUMBER,
                "#n", NUMBER));
    }

    private static Map<String, AttributeValue> values(String agentId) {
        return new HashMap<>(Map.of(
                ":dp", s(shard(shardOf(agentId))),
                ":ds", s(AT_ONCE),
                ":v", n(RegistryKeys.SCHEMA),
                ":one", n(1)));
    }

    private static String agentId(Map<String, AttributeValue> key) {
        return key.get(RegistryKeys.PK).s().substring(RegistryKeys.agent("").length());
    }

    private static String shard(int shard) {
        return "Q#" + shard;
    }

    private static int shardOf(String agentId) {
        return Math.floorMod(agentId.hashCode(), SHARDS);
    }

    private static String dueAt(Instant moment) {
        return RegistryKeys.padded(moment.getEpochSecond(), 10);
    }
}
