package dev.agenthealth.testkit;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
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

    /** The current contents of the tables. */
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
                        .map(index -> WriteCharge.entry(table, index, item))
                        .filter(entry -> !entry.isEmpty())
                        .mapToLong(Stored::counted)
                        .sum();
    }

    private static long counted(Map<String, AttributeValue> item) {
        return ItemSize.of(item) + OVERHEAD_BYTES;
    }
}
