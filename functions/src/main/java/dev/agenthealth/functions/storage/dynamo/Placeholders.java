package dev.agenthealth.functions.storage.dynamo;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attribute names and values of one request's expressions, where needed under a placeholder. Not thread-safe. */
final class Placeholders {

    /** Names up to this length stand for themselves unless they are reserved: a placeholder makes a request longer and slower to parse. */
    private static final int SHORT = 2;

    /** The reserved words of DynamoDB that are so short. */
    private static final Set<String> RESERVED =
            Set.of("as", "at", "by", "do", "go", "if", "in", "is", "no", "of", "on", "or", "to");

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final Map<AttributeValue, String> placeholders = new HashMap<>();

    /** An attribute name in an expression; it consists of small letters, digits and underscores. */
    String name(String attribute) {
        if (attribute.length() <= SHORT && !RESERVED.contains(attribute)) {
            return attribute;
        }
        String placeholder = "#" + attribute;
        names.put(placeholder, attribute);
        return placeholder;
    }

    /** The placeholder of a value; equal values share one. */
    String value(AttributeValue value) {
        return placeholders.computeIfAbsent(value, v -> {
            String placeholder = ":" + values.size();
            values.put(placeholder, v);
            return placeholder;
        });
    }

    /** For a request; null where there is none, since DynamoDB refuses an empty map. */
    Map<String, String> names() {
        return names.isEmpty() ? null : names;
    }

    /** For a request; null where there is none, since DynamoDB refuses an empty map. */
    Map<String, AttributeValue> values() {
        return values.isEmpty() ? null : values;
    }
}
