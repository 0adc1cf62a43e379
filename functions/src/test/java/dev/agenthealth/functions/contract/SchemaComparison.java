package dev.agenthealth.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.testkit.EventSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether a subscriber that was written for an older schema can read what is sent by a newer one. It may learn of more: further fields, further
 * words where they were announced, narrower numbers. It must never meet what its schema ruled out, or miss what its schema promised.
 */
final class SchemaComparison {

    /** Keywords without effect on events. */
    private static final Set<String> WORDS = Set.of("description", "examples");

    /** Keywords compared by their meaning; all others must be equal. */
    private static final Set<String> UNDERSTOOD = Set.of(
            "properties",
            "required",
            "items",
            "enum",
            EventSchemas.KNOWN_VALUES,
            "minimum",
            "maximum",
            "minLength",
            "maxLength");

    private final List<String> breaks = new ArrayList<>();

    private SchemaComparison() {}

    /** The incompatible changes, with their place in the schema; empty where there are none. */
    static List<String> breaks(JsonNode released, JsonNode current) {
        SchemaComparison comparison = new SchemaComparison();
        comparison.compare("detail", released, current);
        return comparison.breaks;
    }

    private void compare(String place, JsonNode released, JsonNode current) {
        properties(place, released.path("properties"), current.path("properties"));
        required(place, released, current);
        if (released.has("items") && current.has("items")) {
            compare(place + "[]", released.path("items"), current.path("items"));
        } else if (released.has("items") != current.has("items")) {
            breaks.add(place + ": items are described in one of both only");
        }
        words(place, released.path("enum"), current.path("enum"));
        if (released.has(EventSchemas.KNOWN_VALUES)
                && !current.has(EventSchemas.KNOWN_VALUES)
                && !current.has("enum")) {
            breaks.add(place + ": its words are no longer named");
        }
        for (String lower : List.of("minimum", "minLength")) {
            bound(place, lower, released, current, 1);
        }
        for (String upper : List.of("maximum", "maxLength")) {
            bound(place, upper, released, current, -1);
        }
        for (String keyword : keywords(released, current)) {
            if (!WORDS.contains(keyword)
                    && !UNDERSTOOD.contains(keyword)
                    && !released.path(keyword).equals(current.path(keyword))) {
                breaks.add(
                        place + ": " + keyword + " was " + released.path(keyword) + " and is " + current.path(keyword));
            }
        }
    }

    private void properties(String place, JsonNode released, JsonNode current) {
        released.fieldNames().forEachRemaining(name -> {
            if (current.has(name)) {
                compare(place + "." + name, released.path(name), current.path(name));
            } else {
                breaks.add(place + "." + name + ": is gone");
            }
        });
    }

    /** What was promised stays promised. Further guarantees are compatible. */
    private void required(String place, JsonNode released, JsonNode current) {
        Set<String> promised = texts(released.path("required"));
        promised.removeAll(texts(current.path("required")));
        promised.forEach(name -> breaks.add(place + "." + name + ": is no longer always there"));
    }

    /** A closed list stays closed: a subscriber's program may have no branch for a word more. */
    private void words(String place, JsonNode released, JsonNode current) {
        if (!released.isArray()) {
            return;
        }
        if (!current.isArray()) {
            breaks.add(place + ": its words are no longer a closed list");
            return;
        }
        Set<String> more = texts(current);
        more.removeAll(texts(released));
        more.forEach(word -> breaks.add(place + ": may now be " + word));
    }

    /**
     * A bound may get narrower, never wider.
     *
     * @param narrower the sign of a change that narrows
     */
    private void bound(String place, String keyword, JsonNode released, JsonNode current, int narrower) {
        if (!released.has(keyword)) {
            return;
        }
        JsonNode was = released.path(keyword);
        JsonNode is = current.path(keyword);
        if (!is.isNumber() || is.decimalValue().compareTo(was.decimalValue()) * narrower < 0) {
            breaks.add(place + ": " + keyword + " was " + was + " and is " + is);
        }
    }

    private static Set<String> keywords(JsonNode released, JsonNode current) {
        Set<String> keywords = new TreeSet<>();
        released.fieldNames().forEachRemaining(keywords::add);
        current.fieldNames().forEachRemaining(keywords::add);
        return keywords;
    }

    private static Set<String> texts(JsonNode array) {
        Set<String> texts = new TreeSet<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
