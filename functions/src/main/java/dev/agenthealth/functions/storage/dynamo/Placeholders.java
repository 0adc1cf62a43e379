package dev.agenthealth.functions.storage.dynamo;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attribute names and values of one request's expressions, with placeholders if they are needed. Not thread-safe. */
final class Placeholders {

    /** The maximum length of a name that needs no placeholder, unless it is reserved. A placeholder makes a request longer and slower to parse. */
    private static final int SHORT = 2;

    /** The reserved words of DynamoDB of at most this length. */
    private static final Set<String> RESERVED =
            Set.of("as", "at", "by", "do", "go", "if", "in", "is", "no", "of", "on", "or", "to");

    private static final char FREE_TEXT = '|';

    private static final List<String> NUMBERED =
            IntStream.range(0, 16).mapToObj(number -> ":" + number).toList();

    // Most writes of a transaction have no condition and need no maps. The map of a kind is created for its first
    // entry.
    private Map<String, String> freeTexts = Map.of();
    private Map<String, String> names = Map.of();
    private Map<String, AttributeValue> values = Map.of();
    private Map<Object, String> placeholders = Map.of();

    /** A number as the key of a value. The hash of an {@link AttributeValue} goes through all its possible types. */
    private record Digits(String n) {}

    /**
     * Returns an attribute name in an expression. Attribute names consist of small letters, digits and underscores. A name with a vertical bar may
     * have any characters, and gets a numbered placeholder.
     */
    String name(String attribute) {
        if (attribute.length() <= SHORT && !RESERVED.contains(attribute)) {
            return attribute;
        }
        String placeholder = attribute.indexOf(FREE_TEXT) < 0 ? "#" + attribute : ofFreeText(attribute);
        if (names.isEmpty()) {
            names = new HashMap<>();
        }
        names.put(placeholder, attribute);
        return placeholder;
    }

    private String ofFreeText(String attribute) {
        if (freeTexts.isEmpty()) {
            freeTexts = new HashMap<>();
        }
        return freeTexts.computeIfAbsent(attribute, each -> "#_" + freeTexts.size());
    }

    /** Returns the placeholder of a value. Equal values share a placeholder. */
    String value(AttributeValue value) {
        Object key = value.s() != null ? value.s() : value.n() != null ? new Digits(value.n()) : value;
        String known = placeholders.get(key);
        if (known != null) {
            return known;
        }
        if (values.isEmpty()) {
            values = new HashMap<>();
            placeholders = new HashMap<>();
        }
        String placeholder = values.size() < NUMBERED.size() ? NUMBERED.get(values.size()) : ":" + values.size();
        values.put(placeholder, value);
        placeholders.put(key, placeholder);
        return placeholder;
    }

    /** Returns the names for a request; null if there are none, because DynamoDB refuses an empty map. */
    Map<String, String> names() {
        return names.isEmpty() ? null : names;
    }

    /** Returns the values for a request; null if there are none, because DynamoDB refuses an empty map. */
    Map<String, AttributeValue> values() {
        return values.isEmpty() ? null : values;
    }
}
