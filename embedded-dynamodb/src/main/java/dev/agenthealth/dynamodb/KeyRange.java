package dev.agenthealth.dynamodb;

import static dev.agenthealth.dynamodb.value.DynamoDbErrors.invalid;

import dev.agenthealth.dynamodb.expression.KeyCondition;
import dev.agenthealth.dynamodb.expression.KeyCondition.Comparison;
import dev.agenthealth.dynamodb.table.KeyAttribute;
import dev.agenthealth.dynamodb.table.KeySchema;
import dev.agenthealth.dynamodb.table.Keys;
import java.util.Arrays;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The range of stored keys that satisfy a key condition.
 *
 * @param from the first key, inclusive
 * @param to the end, exclusive
 */
record KeyRange(byte[] from, byte[] to) {

    static KeyRange of(KeySchema schema, KeyCondition condition) {
        byte[] partition = new byte[0];
        Comparison sort = null;
        for (Comparison comparison : condition.comparisons()) {
            check(schema, comparison);
            if (!comparison.attribute().equals(schema.partition().name())) {
                sort = comparison;
            } else if (comparison.operator() == KeyCondition.Operator.EQUAL) {
                partition = Keys.partition(comparison.operands().get(0));
            } else {
                throw invalid("Query key condition not supported");
            }
        }
        if (partition.length == 0) {
            throw invalid("Query condition missed key schema element: "
                    + schema.partition().name());
        }
        return sort == null
                ? new KeyRange(partition, Keys.behind(partition))
                : of(partition, sort.operator(), sort.operands());
    }

    private static KeyRange of(byte[] partition, KeyCondition.Operator operator, List<AttributeValue> operands) {
        byte[] first = Keys.concat(partition, Keys.sort(operands.get(0)));
        byte[] whole = Keys.ended(first);
        byte[] end = Keys.behind(partition);
        return switch (operator) {
            case EQUAL -> new KeyRange(whole, Keys.behind(whole));
            case LESS -> new KeyRange(partition, whole);
            case AT_MOST -> new KeyRange(partition, Keys.behind(whole));
            case GREATER -> new KeyRange(Keys.behind(whole), end);
            case AT_LEAST -> new KeyRange(whole, end);
            case BEGINS_WITH -> new KeyRange(first, Keys.behind(first));
            case BETWEEN ->
                new KeyRange(whole, Keys.behind(Keys.ended(Keys.concat(partition, Keys.sort(operands.get(1))))));
        };
    }

    private static void check(KeySchema schema, Comparison comparison) {
        for (KeyAttribute attribute : schema.attributes()) {
            if (attribute.name().equals(comparison.attribute())) {
                for (AttributeValue operand : comparison.operands()) {
                    if (!attribute.isOf(operand)) {
                        throw invalid(
                                "One or more parameter values were invalid: Condition parameter type does not match"
                                        + " schema type");
                    }
                    KeyCheck.checkLength(schema, attribute, operand);
                }
                return;
            }
        }
        throw invalid("Query key condition not supported");
    }

    /** Returns true if the key is in the range. */
    boolean contains(byte[] key) {
        return Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
    }
}
