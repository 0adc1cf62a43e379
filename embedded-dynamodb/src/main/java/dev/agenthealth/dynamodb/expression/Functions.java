package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The functions of DynamoDB's expressions. Their names are case-sensitive. */
final class Functions {

    static final String IF_NOT_EXISTS = "if_not_exists";
    static final String LIST_APPEND = "list_append";

    private static final Set<String> FOR_CONDITIONS =
            Set.of("attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size");
    private static final Set<String> FOR_UPDATES = Set.of(IF_NOT_EXISTS, LIST_APPEND);

    private Functions() {}

    static boolean isKnown(String name) {
        return isForConditions(name) || FOR_UPDATES.contains(name);
    }

    static boolean isForConditions(String name) {
        return FOR_CONDITIONS.contains(name);
    }

    /** Returns the function with this name, applied to the operands. */
    static Part of(String name, List<Operand> operands, ExpressionReader reader) {
        return switch (name) {
            case "attribute_exists" -> exists(name, operands, true, reader);
            case "attribute_not_exists" -> exists(name, operands, false, reader);
            case "begins_with" -> {
                checkCount(name, operands, 2, reader);
                yield new Predicate.BeginsWith(operands.get(0), operands.get(1));
            }
            case "contains" -> {
                checkCount(name, operands, 2, reader);
                yield new Predicate.Contains(operands.get(0), operands.get(1));
            }
            case "size" -> {
                checkCount(name, operands, 1, reader);
                yield new Operand.Size(operands.get(0));
            }
            default -> throw DynamoDbErrors.unsupported("the function " + name);
        };
    }

    /** Returns the name of the function that the part was parsed from; empty if it is an operand or no function. */
    static Optional<String> nameOf(Part part) {
        if (part instanceof Predicate.Exists exists) {
            return Optional.of(exists.expected() ? "attribute_exists" : "attribute_not_exists");
        }
        if (part instanceof Predicate.BeginsWith) {
            return Optional.of("begins_with");
        }
        return part instanceof Predicate.Contains ? Optional.of("contains") : Optional.empty();
    }

    private static Part exists(String name, List<Operand> operands, boolean expected, ExpressionReader reader) {
        checkCount(name, operands, 1, reader);
        if (operands.get(0) instanceof Operand.Attribute attribute) {
            return new Predicate.Exists(attribute.name(), expected);
        }
        throw reader.invalid("Operator or function requires a document path; operator or function: " + name);
    }

    private static void checkCount(String name, List<Operand> operands, int count, ExpressionReader reader) {
        if (operands.size() != count) {
            throw incorrectCount(name, operands.size(), reader);
        }
    }

    static RuntimeException incorrectCount(String name, int count, ExpressionReader reader) {
        return reader.invalid("Incorrect number of operands for operator or function; operator or function: " + name
                + ", number of operands: " + count);
    }
}
