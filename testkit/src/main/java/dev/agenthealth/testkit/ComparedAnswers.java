package dev.agenthealth.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Sends each request to items in memory and to the embedded database, and compares the answers. */
final class ComparedAnswers implements RequestInterceptor {

    private final MemoryDynamoDb memory;
    private final DynamoDbClient embedded;
    private Map<String, TreeMap<String, Map<String, AttributeValue>>> known = Map.of();

    /** @param embedded has the same tables, without items */
    ComparedAnswers(MemoryDynamoDb memory, DynamoDbClient embedded) {
        this.memory = memory;
        this.embedded = embedded;
    }

    @Override
    public <T extends DynamoDbRequest, R> R intercept(T request, Function<T, R> operation) {
        follow();
        List<Object> expected = new ArrayList<>();
        List<Object> actual = new ArrayList<>();
        DynamoDbException failure = null;
        R response = null;
        try {
            response = operation.apply(request);
            expected.add(shown(response));
        } catch (DynamoDbException e) {
            failure = e;
            expected.add(failed(e));
        }
        try {
            actual.add(shown(sent(request)));
        } catch (DynamoDbException e) {
            actual.add(failed(e));
        }
        if (!expected.equals(actual)) {
            throw new AssertionError("%s%nin memory: %s%nembedded: %s".formatted(request, expected, actual));
        }
        known = memory.contents().items();
        if (failure != null) {
            throw failure;
        }
        return response;
    }

    private Object sent(DynamoDbRequest request) {
        Map<Class<?>, Supplier<Object>> all = Map.of(
                GetItemRequest.class, () -> embedded.getItem((GetItemRequest) request),
                BatchGetItemRequest.class, () -> embedded.batchGetItem((BatchGetItemRequest) request),
                QueryRequest.class, () -> embedded.query((QueryRequest) request),
                PutItemRequest.class, () -> embedded.putItem((PutItemRequest) request),
                UpdateItemRequest.class, () -> embedded.updateItem((UpdateItemRequest) request),
                DeleteItemRequest.class, () -> embedded.deleteItem((DeleteItemRequest) request),
                BatchWriteItemRequest.class, () -> embedded.batchWriteItem((BatchWriteItemRequest) request),
                TransactWriteItemsRequest.class,
                        () -> embedded.transactWriteItems((TransactWriteItemsRequest) request));
        return all.get(request.getClass()).get();
    }

    private static Object shown(Object response) {
        if (response instanceof GetItemResponse get) {
            return get.item();
        }
        if (response instanceof BatchGetItemResponse batch) {
            Map<String, Set<Map<String, AttributeValue>>> found = new HashMap<>();
            batch.responses().forEach((table, items) -> found.put(table, new HashSet<>(items)));
            found.values().removeIf(Set::isEmpty);
            return found;
        }
        if (response instanceof QueryResponse query) {
            return List.of(query.items(), query.lastEvaluatedKey());
        }
        return response instanceof UpdateItemResponse update ? update.attributes() : "";
    }

    private static Object failed(DynamoDbException failure) {
        return List.of(
                failure.getClass(),
                failure instanceof ConditionalCheckFailedException condition ? condition.item() : Map.of());
    }

    /** Writes items that were restored in memory into the embedded database, so that both have the same items. */
    private void follow() {
        Map<String, TreeMap<String, Map<String, AttributeValue>>> now =
                memory.contents().items();
        if (now.equals(known)) {
            return;
        }
        now.forEach((table, items) -> {
            Set<Map<String, AttributeValue>> stored = new HashSet<>();
            embedded.scanPaginator(scan -> scan.tableName(table).consistentRead(true))
                    .items()
                    .forEach(stored::add);
            Set<Map<String, AttributeValue>> before =
                    new HashSet<>(known.getOrDefault(table, new TreeMap<>()).values());
            if (!stored.equals(before)) {
                throw new AssertionError("%s%nin memory: %s%nembedded: %s".formatted(table, before, stored));
            }
            for (Map<String, AttributeValue> item : stored) {
                Map<String, AttributeValue> key = new HashMap<>();
                (item.containsKey("pk") ? List.of("pk", "sk") : List.of("id"))
                        .forEach(part -> key.put(part, item.get(part)));
                embedded.deleteItem(delete -> delete.tableName(table).key(key));
            }
            items.values()
                    .forEach(
                            item -> embedded.putItem(put -> put.tableName(table).item(item)));
        });
    }
}
