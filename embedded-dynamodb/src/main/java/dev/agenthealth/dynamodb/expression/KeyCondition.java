package dev.agenthealth.dynamodb.expression;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The key range that a query reads.
 *
 * @param comparisons one or two comparisons of different attributes, in the order of the expression; all must hold
 */
public record KeyCondition(List<Comparison> comparisons) {

    /** The operator of a key comparison. */
    public enum Operator {
        EQUAL,
        LESS,
        AT_MOST,
        GREATER,
        AT_LEAST,
        /** Has two operands, both inclusive. */
        BETWEEN,
        BEGINS_WITH
    }

    /**
     * A comparison of one key attribute.
     *
     * @param operands one value, or two for BETWEEN, in normal form
     */
    public record Comparison(String attribute, Operator operator, List<AttributeValue> operands) {

        public Comparison {
            operands = List.copyOf(operands);
        }
    }

    public KeyCondition {
        comparisons = List.copyOf(comparisons);
    }
}
