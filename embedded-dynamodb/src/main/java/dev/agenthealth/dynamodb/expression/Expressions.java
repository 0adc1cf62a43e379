package dev.agenthealth.dynamodb.expression;

import java.util.Set;

/**
 * DynamoDB's expressions, parsed once per text and bound to the arguments of a request. Thread-safe.
 *
 * <p>Every method throws a {@code ValidationException} if DynamoDB refuses the expression, and an {@link UnsupportedOperationException} if
 * it is outside the supported subset.
 */
public final class Expressions {

    private static final ParsedCache<ParsedCondition> CONDITIONS = new ParsedCache<>(ConditionParser::parse);
    private static final ParsedCache<ParsedUpdate> UPDATES = new ParsedCache<>(UpdateParser::parse);
    private static final ParsedCache<ParsedProjection> PROJECTIONS = new ParsedCache<>(ParsedProjection::parse);

    private Expressions() {}

    /**
     * Returns the condition of a write, or a filter.
     *
     * @param kind the name of the request's parameter, for messages: {@code ConditionExpression} or {@code FilterExpression}
     */
    public static Condition condition(String text, String kind, Arguments arguments) {
        return CONDITIONS.get(text, kind).bound(kind, arguments);
    }

    /** Returns the update of an {@code UpdateExpression}. */
    public static Update update(String text, Arguments arguments) {
        return UPDATES.get(text, ParsedUpdate.KIND).bound(arguments);
    }

    /** Returns the comparisons of a {@code KeyConditionExpression}; the caller checks them against the keys of the table. */
    public static KeyCondition keyCondition(String text, Arguments arguments) {
        return KeyConditions.of(CONDITIONS.get(text, KeyConditions.KIND), arguments);
    }

    /** Returns the top-level attributes of a {@code ProjectionExpression}, in its order. */
    public static Set<String> projection(String text, Arguments arguments) {
        return PROJECTIONS.get(text, ParsedProjection.KIND).bound(arguments);
    }
}
