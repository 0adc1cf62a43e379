package dev.agenthealth.functions.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Reads a JSON object even if {@link Json#received} refuses a part of it. The text has to be JSON (RFC 8259). Each member is read
 * separately, and a member that breaks a rule of {@link Json} becomes {@link #UNREADABLE}.
 */
public final class JsonMembers {

    /**
     * Stands for a JSON value that cannot be used. Such a value has a repeated name, too deep a nesting, a number out of range, or invalid
     * Unicode. It is neither text, number, list nor object, so that every reader of a field refuses it.
     */
    public static final JsonNode UNREADABLE = new POJONode("unreadable");

    /** Reads values of any nesting, because it skips values. Only the size of the text limits it. */
    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonMembers() {}

    /**
     * Returns the members of an object. A member with a repeated name is unreadable.
     *
     * @param listOfObjects the member whose elements are read in the same way; empty for none
     * @throws UnreadableJsonException if the text is not a JSON object
     */
    public static ObjectNode received(String text, String listOfObjects) {
        ObjectNode object = Json.object();
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new UnreadableJsonException("must be a JSON object");
            }
            Set<String> names = new HashSet<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                String value = value(parser, text);
                boolean isList = name.equals(listOfObjects) && value.startsWith("[");
                object.set(name, names.add(name) ? isList ? elements(value) : readable(value) : UNREADABLE);
            }
            if (parser.nextToken() != null) {
                throw new UnreadableJsonException("has text after its JSON object");
            }
        } catch (IOException e) {
            throw new UnreadableJsonException("is not valid JSON: a syntax error");
        }
        return object;
    }

    private static ArrayNode elements(String list) throws IOException {
        ArrayNode elements = JsonNodeFactory.instance.arrayNode();
        try (JsonParser parser = FACTORY.createParser(list)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String element = value(parser, list);
                JsonNode whole = readable(element);
                elements.add(whole == UNREADABLE && element.startsWith("{") ? received(element, "") : whole);
            }
        }
        return elements;
    }

    private static JsonNode readable(String value) {
        try {
            return Json.received(value);
        } catch (UnreadableJsonException e) {
            return UNREADABLE;
        }
    }

    /** Returns the text of the parser's current value, and moves the parser to the value's end. */
    private static String value(JsonParser parser, String text) throws IOException {
        int begin = (int) parser.currentTokenLocation().getCharOffset();
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
        } else {
            parser.finishToken();
        }
        return text.substring(begin, (int) parser.currentLocation().getCharOffset())
                .strip();
    }
}
