package dev.agenthealth.functions.storage.dynamo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;

/** Reads many items at once, up to DynamoDB's 100 a request, until none is left unprocessed. Thread-safe. */
public final class BatchReads {

    public static final int MAX_KEYS = 100;

    private final DynamoDbClient dynamoDb;
    private final Retries retries;

    public BatchReads(DynamoDbClient dynamoDb, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.retries = retries;
    }

    /** The items found, by table, in no particular order. */
    public record Result(Map<String, List<Map<String, AttributeValue>>> byTable) {

        public List<Map<String, AttributeValue>> of(String table) {
            return byTable.getOrDefault(table, List.of());
        }
    }

    /** The items of one table with these keys, in no particular order; keys without an item are left out. */
    public List<Map<String, AttributeValue>> get(String table, List<Map<String, AttributeValue>> keys) {
        List<Map<String, AttributeValue>> items = new ArrayList<>(keys.size());
        for (int from = 0; from < keys.size(); from += MAX_KEYS) {
            List<Map<String, AttributeValue>> some = keys.subList(from, Math.min(from + MAX_KEYS, keys.size()));
            items.addAll(get(Map.of(table, some), false).of(table));
        }
        return items;
    }

    /** The items with these keys, at most 100 of all tables together. */
    public Result get(Map<String, List<Map<String, AttributeValue>>> keys, boolean consistent) {
        Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
        Map<String, KeysAndAttributes> left = new HashMap<>();
        keys.forEach((table, some) -> left.put(
                table,
                KeysAndAttributes.builder()
                        .keys(some)
                        .consistentRead(consistent)
                        .build()));
        retries.call("batch read", () -> {
            BatchGetItemResponse response = dynamoDb.batchGetItem(r -> r.requestItems(left));
            response.responses().forEach((table, items) -> found.computeIfAbsent(table, t -> new ArrayList<>())
                    .addAll(items));
            left.clear();
            left.putAll(response.unprocessedKeys());
            if (!left.isEmpty()) {
                // DynamoDB answers with less than asked for when it is busy: the rest is asked for after a pause.
                throw ProvisionedThroughputExceededException.builder()
                        .message("some keys were not processed")
                        .build();
            }
            return true;
        });
        return new Result(found);
    }
}
