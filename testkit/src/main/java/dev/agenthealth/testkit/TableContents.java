package dev.agenthealth.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The contents of both tables at one moment, which are equal if nothing changed in between.
 *
 * @param items the items of both tables
 */
public record TableContents(Set<Map<String, AttributeValue>> items) {

    /** Returns the current items of these tables. */
    public static TableContents of(TestTables tables) {
        DynamoDbClient dynamoDb = tables.dynamoDb();
        Set<Map<String, AttributeValue>> items = new HashSet<>();
        for (String table : List.of(TestTables.PULSES, TestTables.REGISTRY)) {
            dynamoDb.scanPaginator(r -> r.tableName(table).consistentRead(true))
                    .items()
                    .forEach(items::add);
        }
        return new TableContents(items);
    }
}
