package dev.agenthealth.functions.storage.dynamo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Deletes many items at once, up to DynamoDB's 25 a request, until none is left unprocessed. Thread-safe. */
public final class BatchDeletes {

    private static final int MAX_KEYS = 25;

    private final DynamoDbClient dynamoDb;
    private final Retries retries;

    public BatchDeletes(DynamoDbClient dynamoDb, Retries retries) {
        this.dynamoDb = dynamoDb;
        this.retries = retries;
    }

    /** Deletes the items with these keys, which are all different; keys without an item are passed over. */
    public void delete(String table, List<Map<String, AttributeValue>> keys) {
        for (int from = 0; from < keys.size(); from += MAX_KEYS) {
            Map<String, List<WriteRequest>> left = new HashMap<>();
            left.put(
                    table,
                    keys.subList(from, Math.min(from + MAX_KEYS, keys.size())).stream()
                            .map(key -> WriteRequest.builder()
                                    .deleteRequest(d -> d.key(key))
                                    .build())
                            .toList());
            retries.call("deletion", () -> {
                Map<String, List<WriteRequest>> unprocessed =
                        dynamoDb.batchWriteItem(r -> r.requestItems(left)).unprocessedItems();
                left.clear();
                left.putAll(unprocessed);
                if (!left.isEmpty()) {
                    throw ProvisionedThroughputExceededException.builder()
                            .message("some items were not processed")
                            .build();
                }
                return true;
            });
        }
    }
}
