package dev.agenthealth.functions.registry;

import dev.agenthealth.dynamodb.value.Sizes;
import dev.agenthealth.testkit.TestTables;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** The write units of one transaction by partition key, those of tables and those of indexes. */
public record PartitionLoad(Map<String, Integer> units) {

    /** A transaction is charged twice. */
    private static final int FACTOR = 2;

    private static final int UNIT_BYTES = 1_024;

    /** The partition key of each index. */
    private static final Map<String, String> INDEXES = Map.of("x", "by-status", "fp", "feed", "dp", "due");

    static PartitionLoad of(TransactWriteItemsRequest transaction) {
        Map<String, Integer> units = new TreeMap<>();
        for (TransactWriteItem item : transaction.transactItems()) {
            if (item.put() != null) {
                put(item.put(), units);
            } else if (item.delete() != null) {
                units.merge(partition(item.delete().key()), FACTOR, Integer::sum);
            } else if (item.update() != null) {
                units.merge(partition(item.update().key()), FACTOR, Integer::sum);
            } else {
                units.merge(partition(item.conditionCheck().key()), FACTOR, Integer::sum);
            }
        }
        return new PartitionLoad(units);
    }

    private static void put(Put put, Map<String, Integer> units) {
        int size = FACTOR * ((Sizes.item(put.item()) + UNIT_BYTES - 1) / UNIT_BYTES);
        units.merge(partition(put.item()), size, Integer::sum);
        INDEXES.forEach((attribute, index) -> {
            if (put.item().containsKey(attribute)
                    && (attribute.equals("x") == put.tableName().equals(TestTables.PULSES))) {
                units.merge(index + " " + put.item().get(attribute).s(), size, Integer::sum);
            }
        });
    }

    private static String partition(Map<String, AttributeValue> item) {
        return item.containsKey("pk")
                ? item.get("pk").s()
                : "row " + item.get("id").s();
    }
}
