package dev.agenthealth.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Answers only in part, as DynamoDB may at any time. A query or a scan ends after a few items, and a batch leaves keys or writes
 * unprocessed.
 */
final class PartialAnswers implements RequestInterceptor {

    private final int most;

    /** @param most the maximum number of items that a request reads or writes */
    PartialAnswers(int most) {
        this.most = most;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        if (request instanceof QueryRequest query && (query.limit() == null || query.limit() > most)) {
            return operation.apply((T) query.toBuilder().limit(most).build());
        }
        if (request instanceof ScanRequest scan && (scan.limit() == null || scan.limit() > most)) {
            return operation.apply((T) scan.toBuilder().limit(most).build());
        }
        if (request instanceof BatchGetItemRequest batch) {
            return (R) some(batch, (Function<BatchGetItemRequest, BatchGetItemResponse>) operation);
        }
        if (request instanceof BatchWriteItemRequest batch) {
            return (R) some(batch, (Function<BatchWriteItemRequest, BatchWriteItemResponse>) operation);
        }
        return operation.apply(request);
    }

    private BatchGetItemResponse some(
            BatchGetItemRequest batch, Function<BatchGetItemRequest, BatchGetItemResponse> operation) {
        Map<String, KeysAndAttributes> processed = new HashMap<>();
        Map<String, KeysAndAttributes> unprocessed = new HashMap<>();
        split(batch.requestItems(), KeysAndAttributes::keys, PartialAnswers::only, processed, unprocessed);
        BatchGetItemResponse response =
                operation.apply(batch.toBuilder().requestItems(processed).build());
        return response.toBuilder().unprocessedKeys(unprocessed).build();
    }

    private BatchWriteItemResponse some(
            BatchWriteItemRequest batch, Function<BatchWriteItemRequest, BatchWriteItemResponse> operation) {
        Map<String, List<WriteRequest>> processed = new HashMap<>();
        Map<String, List<WriteRequest>> unprocessed = new HashMap<>();
        split(batch.requestItems(), writes -> writes, (writes, some) -> some, processed, unprocessed);
        BatchWriteItemResponse response =
                operation.apply(batch.toBuilder().requestItems(processed).build());
        return response.toBuilder().unprocessedItems(unprocessed).build();
    }

    private <P, E> void split(
            Map<String, P> asked,
            Function<P, List<E>> elements,
            BiFunction<P, List<E>, P> only,
            Map<String, P> processed,
            Map<String, P> unprocessed) {
        int room = most;
        for (Map.Entry<String, P> table : asked.entrySet()) {
            List<E> all = elements.apply(table.getValue());
            int taken = Math.min(room, all.size());
            room -= taken;
            if (taken > 0) {
                processed.put(table.getKey(), only.apply(table.getValue(), all.subList(0, taken)));
            }
            if (taken < all.size()) {
                unprocessed.put(table.getKey(), only.apply(table.getValue(), all.subList(taken, all.size())));
            }
        }
    }

    private static KeysAndAttributes only(KeysAndAttributes asked, List<Map<String, AttributeValue>> keys) {
        return asked.toBuilder().keys(keys).build();
    }
}
