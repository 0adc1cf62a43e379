package dev.agenthealth.functions.storage.dynamo;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attribute names and values of one request's expressions, each under a placeholder. Not thread-safe. */
final class Placeholders {

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final Map<AttributeValue, String> placeholders = new HashMap<>();

    /** The placeholder of an attribute name, which consists of letters, digits and underscores. */
    String name(String attribute) {
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
