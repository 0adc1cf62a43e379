package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.Values;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Expressions with the results and messages of DynamoDB Local for {@link SampleValues#item}: lines of {@code conditions.txt} and
 * {@code updates.txt}, each an expression, {@code =>} and its result.
 */
final class ExpressionCases {

    static final Map<String, AttributeValue> KEY = Map.of("pk", AttributeValue.fromS("p"));

    private static final String CONDITION = "ConditionExpression";

    private ExpressionCases() {}

    static Stream<Object[]> conditions() {
        return lines("conditions.txt");
    }

    static Stream<Object[]> updates() {
        return lines("updates.txt");
    }

    private static Stream<Object[]> lines(String file) {
        try (InputStream text = ExpressionCases.class.getResourceAsStream(file)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" => ", 2));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With a key, and numbers in normal form, which DynamoDB Local does not always bring about. */
    static Map<String, AttributeValue> withKey(Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(attributes);
        item.putAll(KEY);
        return Values.normalized(item);
    }

    /** The result here, parsed anew: what another test had parsed would hide a change of the parser. */
    static String condition(Map<String, AttributeValue> item, String text) {
        return result(() -> {
            Arguments arguments = SampleValues.arguments(text);
            boolean holds = ConditionParser.parse(text, CONDITION)
                    .bound(CONDITION, arguments)
                    .holds(item);
            arguments.checkAllUsed();
            return String.valueOf(holds);
        });
    }

    /** What the update changes here, parsed anew. */
    static String update(Map<String, AttributeValue> item, String text) {
        return result(() -> {
            Arguments arguments = SampleValues.arguments(text);
            Map<String, AttributeValue> updated =
                    UpdateParser.parse(text, ParsedUpdate.KIND).bound(arguments).applied(item);
            arguments.checkAllUsed();
            return describe(item, updated);
        });
    }

    /** The changes of an item, with sets in one order. */
    static String describe(Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
        Map<String, String> changes = new TreeMap<>();
        after.forEach((name, value) -> {
            if (!before.containsKey(name) || !describe(value).equals(describe(before.get(name)))) {
                changes.put(name, describe(value));
            }
        });
        before.forEach((name, value) -> {
            if (!after.containsKey(name)) {
                changes.put(name, "removed");
            }
        });
        return changes.toString();
    }

    private static String describe(AttributeValue value) {
        return switch (value.type()) {
            case S -> "'" + value.s() + "'";
            case N -> value.n();
            case B -> value.b().asUtf8String();
            case BS ->
                value.bs().stream().map(b -> b.asUtf8String()).sorted().toList().toString();
            default -> value.toString();
        };
    }

    static String result(Supplier<String> evaluation) {
        try {
            return evaluation.get();
        } catch (DynamoDbException e) {
            // DynamoDB Local shows the buffers of binary values.
            return e.awsErrorDetails().errorMessage().replaceAll("\\{B:[^}]*}", "{B}");
        }
    }
}
