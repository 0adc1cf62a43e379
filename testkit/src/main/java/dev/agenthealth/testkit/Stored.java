package dev.agenthealth.testkit;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * What is in both tables.
 *
 * @param bytes as DynamoDB counts what is stored: every item and every index entry, each with 100 bytes more
 * @param events event items among them
 */
public record Stored(long bytes, long events) {

    private static final int OVERHEAD_BYTES = 100;
    private static final AttributeValue NO_SORT_KEY = AttributeValue.fromS("");

    /** Of the tables as they are. */
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
