package dev.agenthealth.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * A real client that answers with less than it was asked for, as DynamoDB may at any time: a query ends after a few items, a batch
 * read leaves keys unprocessed.
 */
public final class PartialDynamoDb extends ForwardingDynamoDb {

    private final int most;

    /**
     * @param most the items that one answer holds at most
     */
    public PartialDynamoDb(DynamoDbClient delegate, int most) {
        super(delegate);
        this.most = most;
    }

    @Override
    @SuppressWarnings("unchecked")
    <T extends DynamoDbRequest, R> R forward(T request, Function<T, R> operation) {
        if (request instanceof QueryRequest query && (query.limit() == null || query.limit() > most)) {
            return operation.apply((T) query.toBuilder().limit(most).build());
        }
        if (request instanceof BatchGetItemRequest batch) {
            return (R) some(batch, (Function<BatchGetItemRequest, BatchGetItemResponse>) operation);
        }
        return operation.apply(request);
    }

    private BatchGetItemResponse some(
            BatchGetItemRequest batch, Function<BatchGetItemRequest, BatchGetItemResponse> operation) {
        Map<String, KeysAndAttributes> processed = new HashMap<>();
        Map<String, KeysAndAttributes> unprocessed = new HashMap<>();
        int room = most;
        for (Map.Entry<String, KeysAndAttributes> table : batch.requestItems().entrySet()) {
            List<?> keys = table.getValue().keys();
            int taken = Math.min(room, keys.size());
            room -= taken;
            put(processed, table, 0, taken);
            put(unprocessed, table, taken, keys.size());
        }
        BatchGetItemResponse response =
                operation.apply(batch.toBuilder().requestItems(processed).build());
        return response.toBuilder().unprocessedKeys(unprocessed).build();
    }

    private static void put(
            Map<String, KeysAndAttributes> map, Map.Entry<String, KeysAndAttributes> table, int from, int to) {
        if (to > from) {
            KeysAndAttributes asked = table.getValue();
            map.put(
                    table.getKey(),
                    asked.toBuilder().keys(asked.keys().subList(from, to)).build());
        }
    }
}
