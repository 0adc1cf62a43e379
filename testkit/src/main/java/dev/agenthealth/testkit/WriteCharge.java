package dev.agenthealth.testkit;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * DynamoDB's charge for a write outside a transaction: a unit per started KB of the larger image of the item, and likewise for every
 * index entry that is added, removed or changed. An entry whose key changes is two writes.
 *
 * @param table units of the table itself
 * @param indexes units of all its indexes
 */
public record WriteCharge(int table, int indexes) {

    private static final int UNIT_BYTES = 1_024;

    /** The charge for an item of this table that was {@code before} and is {@code after}; both are empty where there is no item. */
    public static WriteCharge of(
            TableDescription table, Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
        int indexes = table.globalSecondaryIndexes().stream()
                .mapToInt(index -> units(index, entry(table, index, before), entry(table, index, after)))
                .sum();
        return new WriteCharge(Math.max(units(before), units(after)), indexes);
    }

    /** The sum of both. */
    public int total() {
        return table + indexes;
    }

    private static int units(
            GlobalSecondaryIndexDescription index,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> after) {
        if (before.equals(after)) {
            return 0;
        }
        if (before.isEmpty()) {
            return units(after);
        }
        if (after.isEmpty()) {
            return units(before);
        }
        boolean staysInPlace =
                names(index.keySchema()).allMatch(name -> before.get(name).equals(after.get(name)));
        return staysInPlace ? Math.max(units(before), units(after)) : units(before) + units(after);
    }

    /** The index entry of the item; empty where the item lacks a key of the index. */
    static Map<String, AttributeValue> entry(
            TableDescription table, GlobalSecondaryIndexDescription index, Map<String, AttributeValue> item) {
        if (!names(index.keySchema()).allMatch(item::containsKey)) {
            return Map.of();
        }
        if (index.projection().projectionType() == ProjectionType.ALL) {
            return item;
        }
        Set<String> projected = Stream.concat(names(index.keySchema()), names(table.keySchema()))
                .collect(Collectors.toCollection(HashSet::new));
        projected.addAll(index.projection().nonKeyAttributes());
        return item.entrySet().stream()
                .filter(attribute -> projected.contains(attribute.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Stream<String> names(List<KeySchemaElement> keys) {
        return keys.stream().map(KeySchemaElement::attributeName);
    }

    private static int units(Map<String, AttributeValue> item) {
        return Math.max(1, (ItemSize.of(item) + UNIT_BYTES - 1) / UNIT_BYTES);
    }
}
