package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;

import dev.agenthealth.dynamodb.table.Index;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Table;
import dev.agenthealth.dynamodb.value.Sizes;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Checks the keys of requests and items, with DynamoDB's messages. */
final class KeyCheck {

    private static final String INVALID = "One or more parameter values were invalid: ";

    private KeyCheck() {}

    /** Checks that a request's key has exactly the attributes of the key schema. */
    static void checkKey(KeySchema schema, Map<String, AttributeValue> key) {
        if (key.size() != schema.attributes().size() || !schema.isIn(key)) {
            throw invalid("The provided key element does not match the schema");
        }
        for (KeyAttribute attribute : schema.attributes()) {
            if (!attribute.isOf(key.get(attribute.name()))) {
                throw invalid("The provided key element does not match the schema");
            }
            checkLength(schema, attribute, key.get(attribute.name()));
        }
    }

    /** Checks the table's key attributes in an item. */
    static void checkItem(Table table, Map<String, AttributeValue> item) {
        for (KeyAttribute attribute : table.keys().attributes()) {
            AttributeValue value = item.get(attribute.name());
            if (value == null) {
                throw invalid(INVALID + "Missing the key " + attribute.name() + " in the item");
            }
            if (!attribute.isOf(value)) {
                throw invalid(INVALID + "Type mismatch for key " + attribute.name() + " expected: " + attribute.type()
                        + " actual: " + value.type());
            }
            checkLength(table.keys(), attribute, value);
        }
        checkIndexes(table, item);
    }

    /** Checks the index key attributes in an item. */
    static void checkIndexes(Table table, Map<String, AttributeValue> item) {
        for (Index index : table.indexes()) {
            for (KeyAttribute attribute : index.keys().attributes()) {
                AttributeValue value = item.get(attribute.name());
                if (value == null) {
                    continue;
                }
                if (!attribute.isOf(value)) {
                    throw invalid(INVALID + "Type mismatch for Index Key " + attribute.name() + " Expected: "
                            + attribute.type() + " Actual: " + value.type() + " IndexName: " + index.name());
                }
                int size = Sizes.of(value);
                if (size == 0) {
                    throw invalid(
                            "One or more parameter values are not valid. A value specified for a secondary index key is"
                                    + " not supported. The AttributeValue for a key attribute cannot contain an empty "
                                    + (value.s() != null ? "string" : "binary") + " value. IndexName: " + index.name()
                                    + ", IndexKey: " + attribute.name());
                }
                checkMaximum(index.keys(), attribute, size);
            }
        }
    }

    static void checkLength(KeySchema schema, KeyAttribute attribute, AttributeValue value) {
        int size = Sizes.of(value);
        if (size == 0) {
            throw invalid(
                    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an"
                            + " empty " + (value.s() != null ? "string" : "binary") + " value. Key: "
                            + attribute.name());
        }
        checkMaximum(schema, attribute, size);
    }

    private static void checkMaximum(KeySchema schema, KeyAttribute attribute, int size) {
        if (schema.fits(attribute, size)) {
            return;
        }
        throw invalid(INVALID
                + (schema.partition().equals(attribute)
                        ? "Size of hashkey has exceeded the maximum size limit of" + KeySchema.MAX_PARTITION_BYTES
                        : "Aggregated size of all range keys has exceeded the size limit of "
                                + KeySchema.MAX_SORT_BYTES)
                + " bytes");
    }
}
