package dev.agenthealth.functions.storage;

import dev.agenthealth.dynamodb.expression.Arguments;
import dev.agenthealth.dynamodb.expression.Condition;
import dev.agenthealth.dynamodb.expression.Expressions;
import dev.agenthealth.dynamodb.expression.Update;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** Expressions of DynamoDB, as the embedded database reads and evaluates them. */
public final class ExpressionsFuzzer {

    private static final Map<String, AttributeValue> VALUES = Map.of(
            ":s", AttributeValue.fromS("abc"),
            ":n", AttributeValue.fromN("-7.25"),
            ":b", AttributeValue.fromB(SdkBytes.fromUtf8String("xy")),
            ":l", AttributeValue.fromL(List.of(AttributeValue.fromN("3"), AttributeValue.fromS("ab"))),
            ":m", AttributeValue.fromM(Map.of("k", AttributeValue.fromN("1"))),
            ":t", AttributeValue.fromBool(true),
            ":z", AttributeValue.fromBs(List.of(SdkBytes.fromUtf8String("q"))));

    private static final Map<String, AttributeValue> ITEM = Map.of(
            "s", VALUES.get(":s"),
            "n", VALUES.get(":n"),
            "b", VALUES.get(":b"),
            "l", VALUES.get(":l"),
            "m", VALUES.get(":m"),
            "t", VALUES.get(":t"),
            "z", VALUES.get(":z"));

    private static Arguments arguments() {
        return new Arguments(Map.of("#s", "s", "#n", "n", "#l", "l", "#m", "m"), VALUES);
    }

    private static void tried(Runnable use) {
        try {
            use.run();
        } catch (DynamoDbException | UnsupportedOperationException refused) {
            // As DynamoDB does, or as the embedded database says that it does not support.
        }
    }

    private ExpressionsFuzzer() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        tried(() -> {
            Condition condition = Expressions.condition(text, "ConditionExpression", arguments());
            condition.attributes();
            condition.holds(ITEM);
            condition.holds(Map.of());
        });
        tried(() -> {
            Update update = Expressions.update(text, arguments());
            update.attributes();
            update.applied(update.applied(ITEM));
        });
        tried(() -> Expressions.keyCondition(text, arguments()));
        tried(() -> Expressions.projection(text, arguments()));
    }
}
