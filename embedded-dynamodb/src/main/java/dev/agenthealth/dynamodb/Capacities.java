package dev.agenthealth.dynamodb;

import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.Sizes;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Counts the capacity units that requests consume by DynamoDB's rules. */
final class Capacities {

    private static final int WRITE_UNIT = 1_024;
    private static final int READ_UNIT = 4 * 1_024;
    private static final double EVENTUALLY_CONSISTENT = 0.5;

    private Capacities() {}

    static boolean isWanted(ReturnConsumedCapacity wanted) {
        return wanted != null && wanted != ReturnConsumedCapacity.NONE;
    }

    /** Returns the units of a read of {@code bytes} bytes. */
    static double read(long bytes, boolean consistent) {
        long units = Math.max(1, (bytes + READ_UNIT - 1) / READ_UNIT);
        return consistent ? units : units * EVENTUALLY_CONSISTENT;
    }

    /** The units of one request that belong to one table. Not thread-safe. */
    static final class Units {

        private final Table table;
        private double units;
        private final Map<String, Double> byIndex = new HashMap<>();

        Units(Table table) {
            this.table = table;
        }

        void add(double more) {
            units += more;
        }

        void add(Index index, double more) {
            byIndex.merge(index.name(), more, Double::sum);
        }

        /** Adds a write that changed the item {@code before} to {@code now}; an absent item is empty. */
        void addWrite(Map<String, AttributeValue> before, Map<String, AttributeValue> now, double factor) {
            add(factor * Math.max(writes(before), writes(now)));
            for (Index index : table.indexes()) {
                int entry = writes(index, before, now);
                if (entry > 0) {
                    add(index, factor * entry);
                }
            }
        }

        private int writes(Index index, Map<String, AttributeValue> before, Map<String, AttributeValue> now) {
            Map<String, AttributeValue> old = index.has(before) ? index.entry(table.keys(), before) : Map.of();
            Map<String, AttributeValue> entry = index.has(now) ? index.entry(table.keys(), now) : Map.of();
            if (old.equals(entry)) {
                return 0;
            }
            if (old.isEmpty() || entry.isEmpty()) {
                return writes(old.isEmpty() ? entry : old);
            }
            for (KeyAttribute key : index.keys().attributes()) {
                if (!old.get(key.name()).equals(entry.get(key.name()))) {
                    return writes(old) + writes(entry);
                }
            }
            return Math.max(writes(old), writes(entry));
        }

        private static int writes(Map<String, AttributeValue> item) {
            return Math.max(1, (Sizes.item(item) + WRITE_UNIT - 1) / WRITE_UNIT);
        }

        /** Returns the consumed capacity for a response, as detailed as the request wants. */
        ConsumedCapacity consumed(ReturnConsumedCapacity wanted) {
            double total = units + byIndex.values().stream().mapToDouble(u -> u).sum();
            ConsumedCapacity.Builder consumed =
                    ConsumedCapacity.builder().tableName(table.name()).capacityUnits(total);
            if (wanted == ReturnConsumedCapacity.INDEXES) {
                consumed.table(Capacity.builder().capacityUnits(units).build());
                if (!byIndex.isEmpty()) {
                    Map<String, Capacity> indexes = new HashMap<>();
                    byIndex.forEach((name, some) -> indexes.put(
                            name, Capacity.builder().capacityUnits(some).build()));
                    consumed.globalSecondaryIndexes(indexes);
                }
            }
            return consumed.build();
        }
    }
}
