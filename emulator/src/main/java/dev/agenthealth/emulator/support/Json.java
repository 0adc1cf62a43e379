package dev.agenthealth.emulator.support;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Reads and writes JSON trees. */
public final class Json {

    private static final JsonMapper MAPPER = new JsonMapper();

    private Json() {}

    /** Returns a new, empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the text of a tree, on one line. */
    public static String text(JsonNode tree) {
        try {
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree in memory can always be written", e);
        }
    }

    /** Returns the text of a tree in UTF-8. */
    public static byte[] bytes(JsonNode tree) {
        try {
            return MAPPER.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree in memory can always be written", e);
        }
    }

    /** Returns true if a text is one JSON object, without building its tree. */
    public static boolean isObject(String text) {
        try (JsonParser parser = MAPPER.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** @throws IOException if the text is not JSON */
    public static JsonNode read(String text) throws IOException {
        return MAPPER.readTree(text);
    }

    /** @throws IOException if the bytes are not JSON */
    public static JsonNode read(byte[] utf8) throws IOException {
        return MAPPER.readTree(utf8);
    }
}
