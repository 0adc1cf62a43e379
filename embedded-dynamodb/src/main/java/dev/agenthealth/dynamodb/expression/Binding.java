package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attribute names and values for the positions in a parsed expression, in one request. */
final class Binding {

    private final String kind;
    private final String[] names;
    private final AttributeValue[] values;

    Binding(String kind, String[] names, AttributeValue[] values) {
        this.kind = kind;
        this.names = names;
        this.values = values;
    }

    String name(int position) {
        return names[position];
    }

    Set<String> names() {
        return new HashSet<>(Arrays.asList(names));
    }

    AttributeValue value(int position) {
        return values[position];
    }

    RuntimeException invalid(String message) {
        return DynamoDbErrors.invalid("Invalid " + kind + ": " + message);
    }

    RuntimeException incorrectType(String operator, AttributeValue.Type operand) {
        return invalid("Incorrect operand type for operator or function; operator or function: " + operator
                + ", operand type: " + operand);
    }

    RuntimeException notDistinct(String operator, String attribute) {
        return invalid("The first operand must be distinct from the remaining operands for this operator or function;"
                + " operator: " + operator + ", first operand: [" + attribute + "]");
    }
}
