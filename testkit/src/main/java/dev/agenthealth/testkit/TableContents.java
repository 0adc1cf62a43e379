package dev.agenthealth.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Everything that stands in both tables at one moment: two of them are equal where nothing changed in between.
 *
 * @param items all items, whichever the table
 */
public record TableContents(Set<Map<String, AttributeValue>> items) {

    /** The items of these tables now. */
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
