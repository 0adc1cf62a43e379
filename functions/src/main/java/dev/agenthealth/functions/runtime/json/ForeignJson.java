package dev.agenthealth.functions.runtime.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Reads documents of other systems, such as agent cards and answers of MCP servers. Unlike {@link Json}, it accepts a repeated name, whose last value
 * counts, text after the document, and deep nesting: a peculiar document does not make an agent dead. The sender limits the size of the text.
 */
public final class ForeignJson {

    private static final JsonMapper MAPPER = new JsonMapper();

    private ForeignJson() {}

    /**
     * Returns the tree of a text; a missing node for an empty text.
     *
     * @throws UnreadableJsonException if the text is not JSON
     */
    public static JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UnreadableJsonException("is not valid JSON");
        }
    }
}
