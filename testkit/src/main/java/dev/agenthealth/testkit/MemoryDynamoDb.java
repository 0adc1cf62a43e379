package dev.agenthealth.testkit;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.expression.Expressions;
import dev.agenthealth.dynamodb.expression.KeyCondition.Comparison;
import dev.agenthealth.dynamodb.value.Values;
import dev.agenthealth.template.TableDefinition;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Items in memory, with the expressions of the embedded database, for tests that start a million times with the same items. Their contents
 * can be saved and restored as a value. It supports the requests of the API functions, without limits and capacity. Not thread-safe.
 */
public final class MemoryDynamoDb implements DynamoDbClient {

    private static final Condition ALWAYS = item -> true;

    /** The items of a table by their keys. */
    private record Table(String name, List<KeySchemaElement> keys, Map<String, List<KeySchemaElement>> indexes) {

        String key(Map<String, AttributeValue> item) {
            String first = item.get(keys.get(0).attributeName()).s();
            return keys.size() == 1
                    ? first
                    : first + "\u0000" + item.get(keys.get(1).attributeName()).s();
        }
    }

    private final Map<String, Table> tables = new HashMap<>();
    private Map<String, TreeMap<String, Map<String, AttributeValue>>> items = new HashMap<>();
    private Set<String> tokens = new HashSet<>();

    /** Creates the empty tables of {@code template.yaml}, without their streams. */
    public MemoryDynamoDb() {
        for (TableDefinition definition : TestTables.WITHOUT_STREAM) {
            Map<String, List<KeySchemaElement>> indexes = new HashMap<>();
            definition.indexes().forEach(index -> indexes.put(index.indexName(), index.keySchema()));
            tables.put(definition.name(), new Table(definition.name(), definition.keySchema(), indexes));
            items.put(definition.name(), new TreeMap<>());
        }
    }

    /** All items. */
    public record Contents(Map<String, TreeMap<String, Map<String, AttributeValue>>> items, Set<String> tokens) {}

    /** Returns the current items; later writes do not change the result. */
    public Contents contents() {
        return new Contents(copy(items), new HashSet<>(tokens));
    }

    /** Continues with these items. */
    public void restore(Contents contents) {
        items = copy(contents.items);
        tokens = new HashSet<>(contents.tokens);
    }

    /** Returns the items of a table, by key. */
    public Iterable<Map<String, AttributeValue>> items(String table) {
        return items.get(table).values();
    }

    private static Map<String, TreeMap<String, Map<String, AttributeValue>>> copy(
            Map<String, TreeMap<String, Map<String, AttributeValue>>> from) {
        Map<String, TreeMap<String, Map<String, AttributeValue>>> copy = new HashMap<>();
        from.forEach((table, rows) -> copy.put(table, new TreeMap<>(rows)));
        return copy;
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // There is nothing to close.
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        GetItemResponse.Builder response = GetItemResponse.builder();
        find(request.tableName(), request.key()).ifPresent(response::item);
        return response.build();
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
        Map<String, List<Map<String, AttributeValue>>> found = new HashMap<>();
        request.requestItems()
                .forEach((table, keys) -> found.put(
                        table,
                        keys.keys().stream()
                                .flatMap(key -> find(table, key).stream())
                                .toList()));
        return BatchGetItemResponse.builder()
                .responses(found)
                .unprocessedKeys(Map.of())
                .build();
    }

    @Override
    public QueryResponse query(QueryRequest request) {
        Table table = tables.get(request.tableName());
        List<KeySchemaElement> schema =
                request.indexName() == null ? table.keys : table.indexes.get(request.indexName());
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        List<Comparison> comparisons = Expressions.keyCondition(request.keyConditionExpression(), arguments)
                .comparisons();
        Condition filter =
                request.filterExpression() == null || request.filterExpression().isEmpty()
                        ? ALWAYS
                        : Expressions.condition(request.filterExpression(), "FilterExpression", arguments);
        String sort = schema.stream()
                .filter(key -> key.keyType() == KeyType.RANGE)
                .map(KeySchemaElement::attributeName)
                .findFirst()
                .orElseThrow();
        boolean ascending = !Boolean.FALSE.equals(request.scanIndexForward());
        Comparator<Map<String, AttributeValue>> order = Comparator.comparing(
                        (Map<String, AttributeValue> item) -> item.get(sort).s())
                .thenComparing(table::key);
        List<Map<String, AttributeValue>> matching = items.get(table.name).values().stream()
                .filter(item -> comparisons.stream().allMatch(comparison -> holds(comparison, item)))
                .sorted(ascending ? order : order.reversed())
                .filter(item ->
                        !request.hasExclusiveStartKey() || isAfter(request.exclusiveStartKey(), item, sort, ascending))
                .toList();
        int limit = request.limit() == null ? Integer.MAX_VALUE : request.limit();
        QueryResponse.Builder response = QueryResponse.builder();
        if (matching.size() >= limit) {
            matching = matching.subList(0, limit);
            Map<String, AttributeValue> last = matching.get(limit - 1);
            Map<String, AttributeValue> key = new HashMap<>();
            table.keys.forEach(part -> key.put(part.attributeName(), last.get(part.attributeName())));
            schema.forEach(part -> key.put(part.attributeName(), last.get(part.attributeName())));
            response.lastEvaluatedKey(key);
        }
        Set<String> projection = request.projectionExpression() == null
                ? Set.of()
                : Expressions.projection(request.projectionExpression(), arguments);
        return response.items(matching.stream()
                        .filter(filter::holds)
                        .map(item -> projected(item, projection))
                        .toList())
                .build();
    }

    private static Map<String, AttributeValue> projected(Map<String, AttributeValue> item, Set<String> projection) {
        Map<String, AttributeValue> projected = new HashMap<>(item);
        projected.keySet().removeIf(name -> !projection.isEmpty() && !projection.contains(name));
        return projected;
    }

    private static boolean isAfter(
            Map<String, AttributeValue> start, Map<String, AttributeValue> item, String sort, boolean ascending) {
        int compared = item.get(sort).s().compareTo(start.get(sort).s());
        return ascending ? compared > 0 : compared < 0;
    }

    private static boolean holds(Comparison comparison, Map<String, AttributeValue> item) {
        AttributeValue value = item.get(comparison.attribute());
        if (value == null) {
            return false;
        }
        String first = comparison.operands().get(0).s();
        int compared = value.s().compareTo(first);
        return switch (comparison.operator()) {
            case EQUAL -> compared == 0;
            case LESS -> compared < 0;
            case AT_MOST -> compared <= 0;
            case GREATER -> compared > 0;
            case AT_LEAST -> compared >= 0;
            case BETWEEN ->
                compared >= 0
                        && value.s().compareTo(comparison.operands().get(1).s()) <= 0;
            case BEGINS_WITH -> value.s().startsWith(first);
        };
    }

    @Override
    public PutItemResponse putItem(PutItemRequest request) {
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        write(
                new Write(
                        request.tableName(),
                        request.item(),
                        condition(request.conditionExpression(), arguments),
                        old -> Values.normalized(request.item())),
                request.returnValuesOnConditionCheckFailure());
        return PutItemResponse.builder().build();
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        Condition condition = condition(request.conditionExpression(), arguments);
        Map<String, AttributeValue> before =
                find(request.tableName(), request.key()).orElse(Map.of());
        Map<String, AttributeValue> after = write(
                new Write(
                        request.tableName(),
                        request.key(),
                        condition,
                        update(request.key(), request.updateExpression(), arguments)),
                request.returnValuesOnConditionCheckFailure());
        UpdateItemResponse.Builder response = UpdateItemResponse.builder();
        if (request.returnValues() == ReturnValue.ALL_NEW) {
            response.attributes(after);
        } else if (request.returnValues() == ReturnValue.ALL_OLD && !before.isEmpty()) {
            response.attributes(before);
        }
        return response.build();
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
        Arguments arguments = Arguments.of(request.expressionAttributeNames(), request.expressionAttributeValues());
        write(
                new Write(
                        request.tableName(),
                        request.key(),
                        condition(request.conditionExpression(), arguments),
                        old -> Map.of()),
                null);
        return DeleteItemResponse.builder().build();
    }

    @Override
    public BatchWriteItemResponse batchWriteItem(BatchWriteItemRequest request) {
        request.requestItems().forEach((table, writes) -> {
            for (WriteRequest write : writes) {
                boolean puts = write.putRequest() != null;
                Map<String, AttributeValue> item = puts ? write.putRequest().item() : Map.of();
                apply(new Write(
                        table, puts ? item : write.deleteRequest().key(), ALWAYS, old -> Values.normalized(item)));
            }
        });
        return BatchWriteItemResponse.builder().unprocessedItems(Map.of()).build();
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        if (request.clientRequestToken() != null && tokens.contains(request.clientRequestToken())) {
            return TransactWriteItemsResponse.builder().build();
        }
        List<Write> writes =
                request.transactItems().stream().map(MemoryDynamoDb::write).toList();
        for (int i = 0; i < writes.size(); i++) {
            if (!writes.get(i).condition.holds(before(writes.get(i)))) {
                throw Failures.cancelled(writes.size(), i, "ConditionalCheckFailed");
            }
        }
        writes.forEach(this::apply);
        if (request.clientRequestToken() != null) {
            tokens.add(request.clientRequestToken());
        }
        return TransactWriteItemsResponse.builder().build();
    }

    /**
     * A write of one item.
     *
     * @param key contains at least the key attributes
     * @param change returns the new item; empty to remove it
     */
    private record Write(
            String table,
            Map<String, AttributeValue> key,
            Condition condition,
            UnaryOperator<Map<String, AttributeValue>> change) {}

    private static Write write(TransactWriteItem item) {
        if (item.put() != null) {
            Arguments arguments = Arguments.of(
                    item.put().expressionAttributeNames(), item.put().expressionAttributeValues());
            return new Write(
                    item.put().tableName(),
                    item.put().item(),
                    condition(item.put().conditionExpression(), arguments),
                    old -> Values.normalized(item.put().item()));
        }
        if (item.update() != null) {
            Arguments arguments = Arguments.of(
                    item.update().expressionAttributeNames(), item.update().expressionAttributeValues());
            return new Write(
                    item.update().tableName(),
                    item.update().key(),
                    condition(item.update().conditionExpression(), arguments),
                    update(item.update().key(), item.update().updateExpression(), arguments));
        }
        if (item.delete() != null) {
            Arguments arguments = Arguments.of(
                    item.delete().expressionAttributeNames(), item.delete().expressionAttributeValues());
            return new Write(
                    item.delete().tableName(),
                    item.delete().key(),
                    condition(item.delete().conditionExpression(), arguments),
                    old -> Map.of());
        }
        Arguments arguments = Arguments.of(
                item.conditionCheck().expressionAttributeNames(),
                item.conditionCheck().expressionAttributeValues());
        return new Write(
                item.conditionCheck().tableName(),
                item.conditionCheck().key(),
                condition(item.conditionCheck().conditionExpression(), arguments),
                old -> old);
    }

    private static Condition condition(String expression, Arguments arguments) {
        return expression == null || expression.isEmpty()
                ? ALWAYS
                : Expressions.condition(expression, "ConditionExpression", arguments);
    }

    private static UnaryOperator<Map<String, AttributeValue>> update(
            Map<String, AttributeValue> key, String expression, Arguments arguments) {
        return old -> Expressions.update(expression, arguments).applied(old.isEmpty() ? new HashMap<>(key) : old);
    }

    private Map<String, AttributeValue> write(Write write, ReturnValuesOnConditionCheckFailure onFailure) {
        Map<String, AttributeValue> before = before(write);
        if (write.condition.holds(before)) {
            return apply(write);
        }
        ConditionalCheckFailedException.Builder failure =
                ConditionalCheckFailedException.builder().message("The conditional request failed");
        if (onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD && !before.isEmpty()) {
            failure.item(before);
        }
        throw failure.build();
    }

    private Map<String, AttributeValue> apply(Write write) {
        Map<String, AttributeValue> after = write.change.apply(before(write));
        TreeMap<String, Map<String, AttributeValue>> rows = items.get(write.table);
        String key = tables.get(write.table).key(write.key);
        if (after.isEmpty()) {
            rows.remove(key);
        } else {
            rows.put(key, after);
        }
        return after;
    }

    private Map<String, AttributeValue> before(Write write) {
        return find(write.table, write.key).orElse(Map.of());
    }

    private Optional<Map<String, AttributeValue>> find(String table, Map<String, AttributeValue> key) {
        return Optional.ofNullable(items.get(table).get(tables.get(table).key(key)));
    }
}
