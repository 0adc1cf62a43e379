package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Extracts the key comparisons of a parsed condition. */
final class KeyConditions {

    static final String KIND = "KeyConditionExpression";

    private KeyConditions() {}

    static KeyCondition of(ParsedCondition condition, Arguments arguments) {
        Binding binding = arguments.bind(condition.placeholders(), KIND);
        condition.predicate().check(binding);
        List<KeyCondition.Comparison> comparisons = new ArrayList<>(2);
        collect(condition.predicate(), binding, comparisons);
        return new KeyCondition(comparisons);
    }

    private static void collect(Predicate predicate, Binding binding, List<KeyCondition.Comparison> comparisons) {
        if (predicate instanceof Predicate.And and) {
            collect(and.left(), binding, comparisons);
            collect(and.right(), binding, comparisons);
            return;
        }
        KeyCondition.Comparison comparison = comparison(predicate, binding);
        for (KeyCondition.Comparison other : comparisons) {
            if (other.attribute().equals(comparison.attribute())) {
                throw DynamoDbErrors.invalid("KeyConditionExpressions must only contain one condition per key");
            }
        }
        if (comparisons.size() == 2) {
            throw DynamoDbErrors.invalid("Conditions can be of length 1 or 2 only");
        }
        comparisons.add(comparison);
    }

    private static KeyCondition.Comparison comparison(Predicate predicate, Binding binding) {
        if (predicate instanceof Predicate.Comparison comparison) {
            return comparison.right() instanceof Operand.Attribute
                    ? comparison(comparison.right(), comparison.comparator().reversed(), comparison.left(), binding)
                    : comparison(comparison.left(), comparison.comparator(), comparison.right(), binding);
        }
        if (predicate instanceof Predicate.Between between) {
            return new KeyCondition.Comparison(
                    attribute(between.operand(), binding),
                    KeyCondition.Operator.BETWEEN,
                    List.of(value(between.lower(), binding), value(between.upper(), binding)));
        }
        if (predicate instanceof Predicate.BeginsWith beginsWith) {
            return new KeyCondition.Comparison(
                    attribute(beginsWith.operand(), binding),
                    KeyCondition.Operator.BEGINS_WITH,
                    List.of(value(beginsWith.prefix(), binding)));
        }
        throw DynamoDbErrors.invalid("Invalid operator used in KeyConditionExpression: " + operator(predicate));
    }

    private static KeyCondition.Comparison comparison(
            Operand attribute, Comparator comparator, Operand value, Binding binding) {
        return new KeyCondition.Comparison(
                attribute(attribute, binding), operator(comparator), List.of(value(value, binding)));
    }

    private static KeyCondition.Operator operator(Comparator comparator) {
        return switch (comparator) {
            case EQUAL -> KeyCondition.Operator.EQUAL;
            case LESS -> KeyCondition.Operator.LESS;
            case AT_MOST -> KeyCondition.Operator.AT_MOST;
            case GREATER -> KeyCondition.Operator.GREATER;
            case AT_LEAST -> KeyCondition.Operator.AT_LEAST;
        };
    }

    private static String operator(Predicate predicate) {
        if (predicate instanceof Predicate.Or) {
            return "OR";
        }
        if (predicate instanceof Predicate.Not) {
            return "NOT";
        }
        return predicate instanceof Predicate.In
                ? "IN"
                : Functions.nameOf(predicate).orElse("");
    }

    private static String attribute(Operand operand, Binding binding) {
        if (operand instanceof Operand.Attribute attribute) {
            return binding.name(attribute.name());
        }
        throw notAKeyAndAValue(operand);
    }

    private static AttributeValue value(Operand operand, Binding binding) {
        AttributeValue value = operand.constant(binding);
        if (value == null) {
            throw notAKeyAndAValue(operand);
        }
        return value;
    }

    private static RuntimeException notAKeyAndAValue(Operand operand) {
        return DynamoDbErrors.invalid(
                operand instanceof Operand.Size
                        ? "KeyConditionExpressions cannot contain nested operations"
                        : "Invalid KeyConditionExpression: A key can only be compared with a value");
    }
}
