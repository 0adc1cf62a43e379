package dev.agenthealth.testkit;

import dev.agenthealth.dynamodb.value.Sizes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * The contents of both tables.
 *
 * @param bytes the stored size by DynamoDB's rules: every item and index entry, with 100 bytes of overhead each
 * @param events the number of event items
 */
public record Stored(long bytes, long events) {

    private static final int OVERHEAD_BYTES = 100;
    private static final AttributeValue NO_SORT_KEY = AttributeValue.fromS("");

    /** Returns the current contents of the tables. */
    public static Stored in(TestTables tables) {
        Stored pulses = in(tables.dynamoDb(), TestTables.PULSES);
        Stored registry = in(tables.dynamoDb(), TestTables.REGISTRY);
        return new Stored(pulses.bytes + registry.bytes, pulses.events + registry.events);
    }

    private static Stored in(DynamoDbClient dynamoDb, String name) {
        TableDescription table = dynamoDb.describeTable(r -> r.tableName(name)).table();
        List<Map<String, AttributeValue>> items =
                dynamoDb.scanPaginator(r -> r.tableName(name).consistentRead(true)).items().stream()
                        .toList();
        return new Stored(
                items.stream().mapToLong(item -> bytes(table, item)).sum(),
                items.stream()
                        .filter(item -> item.getOrDefault("sk", NO_SORT_KEY).s().startsWith("E#"))
                        .count());
    }

    private static long bytes(TableDescription table, Map<String, AttributeValue> item) {
        return counted(item)
                + table.globalSecondaryIndexes().stream()
                        .map(index -> entry(table, index, item))
                        .filter(entry -> !entry.isEmpty())
                        .mapToLong(Stored::counted)
                        .sum();
    }

    private static long counted(Map<String, AttributeValue> item) {
        return Sizes.item(item) + OVERHEAD_BYTES;
    }

    /** Returns the index entry of the item; empty if the item lacks a key of the index. */
    private static Map<String, AttributeValue> entry(
            TableDescription table, GlobalSecondaryIndexDescription index, Map<String, AttributeValue> item) {
        Set<String> keys = names(index.keySchema());
        if (!item.keySet().containsAll(keys)) {
            return Map.of();
        }
        if (index.projection().projectionType() == ProjectionType.ALL) {
            return item;
        }
        Map<String, AttributeValue> entry = new HashMap<>(item);
        keys.addAll(names(table.keySchema()));
        entry.keySet().retainAll(keys);
        return entry;
    }

    private static Set<String> names(List<KeySchemaElement> keys) {
        return keys.stream().map(KeySchemaElement::attributeName).collect(Collectors.toCollection(HashSet::new));
    }
}
