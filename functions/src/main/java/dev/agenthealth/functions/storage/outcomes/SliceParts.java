package dev.agenthealth.functions.storage.outcomes;

import static dev.agenthealth.functions.storage.dynamo.Values.n;
import static dev.agenthealth.functions.storage.dynamo.Values.s;

import dev.agenthealth.functions.storage.due.DueEntry;
import dev.agenthealth.functions.storage.dynamo.RegistryKeys;
import dev.agenthealth.functions.storage.dynamo.Retries;
import dev.agenthealth.functions.storage.dynamo.Tables;
import dev.agenthealth.model.outcome.OutcomeCounts;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Adds batches to slices, each at most once, whoever else adds what at the same time.
 *
 * <p>A batch goes into the first part that is not full. A part is passed by only when it was seen full and without the batch; from then on
 * nobody can add the batch to it any more. So two that add the same batch meet at the same part, where the write's own condition lets one
 * of them through. The read before only saves writes that would fail. The same write marks the part: no batch is counted without the
 * agent's health being due. Thread-safe.
 */
final class SliceParts {

    private final DynamoDbClient dynamoDb;
    private final Tables tables;
    private final Retries retries;

    SliceParts(DynamoDbClient dynamoDb, Tables tables, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.tables = tables;
        this.retries = retries;
    }

    /** What became of a write. */
    private enum Result {
        ADDED,
        HELD_ALREADY,
        FULL
    }

    /**
     * Adds what a batch says about a slice.
     *
     * @param expiry when nobody asks for the slice any more
     * @return {@code false} where somebody had added it before
     */
    boolean add(String agentId, Slice slice, OutcomeCounts counts, SdkBytes batch, Instant expiry) {
        Set<Integer> full = new HashSet<>();
        for (Map<String, AttributeValue> item : read(agentId, slice)) {
            if (SliceItem.holds(item, batch)) {
                return false;
            }
            if (SliceItem.isFull(item)) {
                full.add(SliceItem.part(item));
            }
        }
        Result result = Result.FULL;
        for (int part = 0; result == Result.FULL; part++) {
            if (!full.contains(part)) {
                result = add(addition(agentId, slice, part, counts, batch, expiry), batch);
            }
        }
        return result == Result.ADDED;
    }

    private Result add(UpdateItemRequest addition, SdkBytes batch) {
        AtomicInteger tries = new AtomicInteger();
        try {
            retries.call("outcomes", () -> {
                tries.incrementAndGet();
                return dynamoDb.updateItem(addition);
            });
            return Result.ADDED;
        } catch (ConditionalCheckFailedException e) {
            if (!SliceItem.holds(e.item(), batch)) {
                return Result.FULL;
            }
            // At a second try it is most likely the first one that added the batch, and its answer was lost.
            return tries.get() > 1 ? Result.ADDED : Result.HELD_ALREADY;
        }
    }

    private UpdateItemRequest addition(
            String agentId, Slice slice, int part, OutcomeCounts counts, SdkBytes batch, Instant expiry) {
        Map<String, String> names = new HashMap<>(Map.of(
                "#v", RegistryKeys.SCHEMA_NUMBER,
                "#ttl", RegistryKeys.EXPIRES,
                "#dp", RegistryKeys.DUE_PK,
                "#ds", RegistryKeys.DUE_SK,
                "#batches", SliceItem.BATCHES));
        Map<String, AttributeValue> values = new HashMap<>(Map.of(
                ":v", n(RegistryKeys.SCHEMA),
                ":ttl", n(expiry.getEpochSecond()),
                ":dp", s(DueEntry.partition(agentId, tables.duePartitions())),
                ":ds", s(DueEntry.AT_ONCE),
                ":batch", AttributeValue.fromB(batch),
                ":batches", AttributeValue.fromBs(List.of(batch)),
                ":most", n(SliceItem.MAX_BATCHES)));
        StringBuilder update =
                new StringBuilder("SET #v = :v, #ttl = :ttl, #dp = :dp, #ds = :ds ADD #batches :batches");
        SliceItem.additions(counts).forEach((name, number) -> {
            update.append(", #").append(name).append(" :").append(name);
            names.put("#" + name, name);
            values.put(":" + name, n(number));
        });
        return UpdateItemRequest.builder()
                .tableName(tables.registry())
                .key(SliceItem.key(agentId, slice, part))
                .updateExpression(update.toString())
                .conditionExpression("NOT contains(#batches, :batch)"
                        + " AND (attribute_not_exists(#batches) OR size(#batches) < :most)")
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    /** The parts of a slice with their batches only. A part whose time has come and that is not removed yet still holds its batches. */
    private List<Map<String, AttributeValue>> read(String agentId, Slice slice) {
        List<Map<String, AttributeValue>> parts = new ArrayList<>();
        QueryRequest.Builder request = QueryRequest.builder()
                .tableName(tables.registry())
                .keyConditionExpression("#pk = :pk AND begins_with(#sk, :slice)")
                .projectionExpression("#sk, #batches")
                .expressionAttributeNames(
                        Map.of("#pk", RegistryKeys.PK, "#sk", RegistryKeys.SK, "#batches", SliceItem.BATCHES))
                .expressionAttributeValues(
                        Map.of(":pk", s(RegistryKeys.agent(agentId)), ":slice", s(SliceItem.prefix(slice))))
                .consistentRead(true);
        boolean more = true;
        while (more) {
            QueryRequest next = request.build();
            QueryResponse response = retries.call("read of a slice", () -> dynamoDb.query(next));
            parts.addAll(response.items());
            more = response.hasLastEvaluatedKey()
                    && !response.lastEvaluatedKey().isEmpty();
            request.exclusiveStartKey(response.lastEvaluatedKey());
        }
        return parts;
    }
}
