package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Splits the first batch read, which is not atomic in DynamoDB. Some items are read before {@code between} runs, the others afterwards. */
final class TornReads implements RequestInterceptor {

    private final Predicate<Map<String, AttributeValue>> isReadFirst;
    private final Runnable between;
    private final AtomicInteger reads = new AtomicInteger();

    /** @param isReadFirst selects the keys that are read before {@code between} runs */
    TornReads(Predicate<Map<String, AttributeValue>> isReadFirst, Runnable between) {
        this.isReadFirst = isReadFirst;
        this.between = between;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        if (request instanceof BatchGetItemRequest batch && reads.getAndIncrement() == 0) {
            return (R) torn(batch, (Function<BatchGetItemRequest, BatchGetItemResponse>) operation);
        }
        return operation.apply(request);
    }

    private BatchGetItemResponse torn(
            BatchGetItemRequest batch, Function<BatchGetItemRequest, BatchGetItemResponse> operation) {
        Map<String, List<Map<String, AttributeValue>>> items = new HashMap<>();
        read(part(batch, isReadFirst), operation, items);
        between.run();
        read(part(batch, isReadFirst.negate()), operation, items);
        return BatchGetItemResponse.builder()
                .responses(items)
                .unprocessedKeys(Map.of())
                .build();
    }

    private static void read(
            BatchGetItemRequest part,
            Function<BatchGetItemRequest, BatchGetItemResponse> operation,
            Map<String, List<Map<String, AttributeValue>>> items) {
        if (!part.requestItems().isEmpty()) {
            operation.apply(part).responses().forEach((table, found) -> items.computeIfAbsent(
                            table, t -> new ArrayList<>())
                    .addAll(found));
        }
    }

    private static BatchGetItemRequest part(
            BatchGetItemRequest batch, Predicate<Map<String, AttributeValue>> isWanted) {
        Map<String, KeysAndAttributes> wanted = new HashMap<>();
        batch.requestItems().forEach((table, asked) -> {
            List<Map<String, AttributeValue>> keys =
                    asked.keys().stream().filter(isWanted).toList();
            if (!keys.isEmpty()) {
                wanted.put(table, asked.toBuilder().keys(keys).build());
            }
        });
        return batch.toBuilder().requestItems(wanted).build();
    }
}
