package dev.agenthealth.functions.storage.dynamo;

import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Reads and writes the items of one DynamoDB table. All stores use this class, and build keys by {@link ItemKind}, conditions by
 * {@link Condition} and updates by {@link Update}. A read returns the attributes of the item, and an empty map if there is no item.
 *
 * <p>A write either replaces an item ({@link #put(Map)}), changes some of its attributes ({@link #update}) or deletes it. A write with a
 * {@link Condition} happens only if the condition holds for the stored item. DynamoDB checks the condition and writes in one step, so
 * concurrent writers cannot overwrite each other. If the condition does not hold, nothing is written, and most methods return {@code false}.
 * For example, only one of several concurrent callers creates an item:
 *
 * <pre>{@code
 * boolean created = registry.put(item, Condition.absent(Attributes.PK));
 * }</pre>
 *
 * <p>Each method sends one request, or one request per batch or page if it handles many items. Reads by key are strongly consistent by
 * default, queries are eventually consistent by default. A {@link Transaction} writes several items together. On a table of
 * {@link Database#writing}, every single write is a transaction with one more item. Every method throws {@link StorageBusyException} if
 * throttling or conflicts last longer than requests are retried. Thread-safe.
 */
public final class Table {

    private static final int MAX_KEYS_OF_A_BATCH_WRITE = 25;

    /** The maximum number of items of a page. A page of 1 MB has thousands of narrow rows, which take 25 MB when they are decoded, in each thread. */
    private static final int MAX_ITEMS_OF_A_SCAN = 1_000;

    private final Requests requests;
    private final String name;

    /** Begins the transaction to which a write of one item belongs; empty if the write is a request of its own. */
    private final Optional<Supplier<Transaction>> together;

    Table(Requests requests, String name) {
        this(requests, name, Optional.empty());
    }

    Table(Requests requests, String name, Optional<Supplier<Transaction>> together) {
        this.requests = requests;
        this.name = name;
        this.together = together;
    }

    String name() {
        return name;
    }

    /** Returns the item with this key as of now; empty if there is none. */
    public Map<String, AttributeValue> get(Map<String, AttributeValue> key) {
        return get(key, true);
    }

    /**
     * Returns the item with this key; empty if there is none.
     *
     * @param consistent whether the read is strongly consistent; otherwise it costs half as much and may be about a second old
     */
    public Map<String, AttributeValue> get(Map<String, AttributeValue> key, boolean consistent) {
        return requests.get(GetItemRequest.builder().tableName(name).key(key).consistentRead(consistent))
                .item();
    }

    /** Returns the item with this key as of now. */
    public Optional<Map<String, AttributeValue>> find(Map<String, AttributeValue> key) {
        return Optional.of(get(key)).filter(item -> !item.isEmpty());
    }

    /**
     * Returns the items with these keys, in no particular order. Keys without an item are left out. Any number of keys is allowed, but all
     * keys must be different.
     */
    public List<Map<String, AttributeValue>> getAll(List<Map<String, AttributeValue>> keys, boolean consistent) {
        List<Map<String, AttributeValue>> items = new ArrayList<>(keys.size());
        for (int from = 0; from < keys.size(); from += Database.MAX_KEYS_OF_A_BATCH_READ) {
            List<Map<String, AttributeValue>> some =
                    keys.subList(from, Math.min(from + Database.MAX_KEYS_OF_A_BATCH_READ, keys.size()));
            items.addAll(requests.getAll(Map.of(name, some), consistent).getOrDefault(name, List.of()));
        }
        return items;
    }

    /** Puts an item, and replaces an existing item with the same key. */
    public void put(Map<String, AttributeValue> item) {
        if (together.isPresent()) {
            together.get().get().put(this, item).commit();
            return;
        }
        requests.put(PutItemRequest.builder().tableName(name).item(item));
    }

    /** Puts an item. Returns {@code false} if the condition does not hold. */
    public boolean put(Map<String, AttributeValue> item, Condition condition) {
        return together.isPresent()
                ? together.get().get().put(this, item, condition).commit()
                : putUnlessPresent(item, condition).isEmpty();
    }

    /** Puts an item. Returns the existing item if the condition does not hold, else empty. */
    public Optional<Map<String, AttributeValue>> putUnlessPresent(
            Map<String, AttributeValue> item, Condition condition) {
        Placeholders placeholders = new Placeholders();
        try {
            requests.put(PutItemRequest.builder()
                    .tableName(name)
                    .item(item)
                    .conditionExpression(condition.render(placeholders))
                    .expressionAttributeNames(placeholders.names())
                    .expressionAttributeValues(placeholders.values())
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            return Optional.empty();
        } catch (ConditionalCheckFailedException e) {
            return Optional.of(e.hasItem() ? e.item() : Map.of());
        }
    }

    /** Updates an item. Returns {@code false} if the update's condition does not hold. */
    public boolean update(Update update) {
        if (together.isPresent()) {
            return together.get().get().update(this, update).commit();
        }
        try {
            requests.update(request(update), new AtomicInteger());
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    /**
     * Updates an item and returns the item before the update. The map is empty if there was no item; the result is empty if the update's
     * condition does not hold.
     */
    public Optional<Map<String, AttributeValue>> updateAndGetPrevious(Update update) {
        try {
            return Optional.of(requests.update(request(update).returnValues(ReturnValue.ALL_OLD), new AtomicInteger())
                    .attributes());
        } catch (ConditionalCheckFailedException e) {
            return Optional.empty();
        }
    }

    /** Updates an item and returns the item after the request, whether or not the update's condition held. */
    public UpdateResult updateAndGet(Update update) {
        AtomicInteger attempts = new AtomicInteger();
        UpdateItemRequest.Builder request = request(update)
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
        try {
            return new UpdateResult(true, requests.update(request, attempts).attributes(), attempts.get() > 1);
        } catch (ConditionalCheckFailedException e) {
            return new UpdateResult(false, e.hasItem() ? e.item() : Map.of(), attempts.get() > 1);
        }
    }

    /** Deletes an item; does nothing if there is none. */
    public void delete(Map<String, AttributeValue> key) {
        if (together.isPresent()) {
            together.get().get().delete(this, key).commit();
            return;
        }
        requests.delete(DeleteItemRequest.builder().tableName(name).key(key));
    }

    /** Deletes an item. Returns {@code false} if the condition does not hold. */
    public boolean delete(Map<String, AttributeValue> key, Condition condition) {
        if (together.isPresent()) {
            return together.get().get().delete(this, key, condition).commit();
        }
        Placeholders placeholders = new Placeholders();
        try {
            requests.delete(DeleteItemRequest.builder()
                    .tableName(name)
                    .key(key)
                    .conditionExpression(condition.render(placeholders))
                    .expressionAttributeNames(placeholders.names())
                    .expressionAttributeValues(placeholders.values()));
            return true;
        } catch (ConditionalCheckFailedException e) {
            return false;
        }
    }

    /** Deletes the items with these keys, which must all be different. Keys without an item are skipped. The deletions are not one transaction. */
    public void deleteAll(List<Map<String, AttributeValue>> keys) {
        for (int from = 0; from < keys.size(); from += MAX_KEYS_OF_A_BATCH_WRITE) {
            requests.writeAll(
                    name,
                    keys.subList(from, Math.min(from + MAX_KEYS_OF_A_BATCH_WRITE, keys.size())).stream()
                            .map(key -> WriteRequest.builder()
                                    .deleteRequest(d -> d.key(key))
                                    .build())
                            .toList());
        }
    }

    /**
     * Returns one page of a query. Costs one request.
     *
     * @param limit the maximum number of items read; 0 for as many as fit into 1 MB
     * @param start the last key of the previous page; empty at the beginning
     */
    public Page page(Query query, int limit, Map<String, AttributeValue> start) {
        return page(requests.query(query.request(name, limit, start)));
    }

    /** Returns the first items of a query, at most {@code limit}, in as many requests as needed. */
    public List<Map<String, AttributeValue>> first(int limit, Query query) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        Map<String, AttributeValue> start = Map.of();
        do {
            Page page = page(query, limit - items.size(), start);
            items.addAll(page.items());
            start = page.lastKey();
        } while (!start.isEmpty() && items.size() < limit);
        return items;
    }

    /**
     * Returns all pages of a query. Each page is requested when the iteration reaches it.
     *
     * @param pageSize the maximum number of items on a page; 0 for as many as fit into 1 MB
     */
    public Iterable<Page> pages(Query query, int pageSize) {
        return () -> new Pages(start -> page(query, pageSize, start));
    }

    /** Returns all items of a query. Each page is requested when the stream reaches its first item. */
    public Stream<Map<String, AttributeValue>> all(Query query) {
        return StreamSupport.stream(pages(query, 0).spliterator(), false).flatMap(page -> page.items().stream());
    }

    /**
     * Reads one segment of the whole table, eventually consistent, and passes each item to {@code consumer}.
     *
     * @param attributes the attributes that are returned of each item; the read costs the same as for all attributes
     */
    public void scan(
            int segment, int totalSegments, List<String> attributes, Consumer<Map<String, AttributeValue>> consumer) {
        Placeholders placeholders = new Placeholders();
        String projection = attributes.stream().map(placeholders::name).collect(Collectors.joining(", "));
        new Pages(start -> {
                    ScanResponse response = requests.scan(ScanRequest.builder()
                            .tableName(name)
                            .projectionExpression(projection)
                            .expressionAttributeNames(placeholders.names())
                            .segment(segment)
                            .totalSegments(totalSegments)
                            .limit(MAX_ITEMS_OF_A_SCAN)
                            .exclusiveStartKey(start.isEmpty() ? null : start));
                    return new Page(
                            response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
                })
                .forEachRemaining(page -> page.items().forEach(consumer));
    }

    /**
     * Returns one page of the whole table, in the table's own order, eventually consistent. Costs one request.
     *
     * @param limit the maximum number of items read; a page also ends at 1 MB
     * @param start the key of the item after which the page begins, which may be gone; empty at the beginning
     */
    public Page scan(int limit, Map<String, AttributeValue> start) {
        ScanResponse response = requests.scan(
                ScanRequest.builder().tableName(name).limit(limit).exclusiveStartKey(start.isEmpty() ? null : start));
        return new Page(response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
    }

    private UpdateItemRequest.Builder request(Update update) {
        Placeholders placeholders = new Placeholders();
        return UpdateItemRequest.builder()
                .tableName(name)
                .key(update.key())
                .updateExpression(update.render(placeholders))
                .conditionExpression(update.condition().render(placeholders))
                .expressionAttributeNames(placeholders.names())
                .expressionAttributeValues(placeholders.values());
    }

    private static Page page(QueryResponse response) {
        return new Page(response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
    }
}
