package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.stream.Stream;

/**
 * Collects the items of a list, up to the size of one response. Lambda accepts 6 MB, and the body is a text inside JSON. Quotes and
 * backslashes of the body are therefore escaped twice, and characters beyond the first 65,536 become two escapes. Not thread-safe.
 */
public final class AnswerItems {

    /** Maximum size of all items together, as Lambda counts it; the rest of the response needs the remaining space. */
    public static final int MAX_BYTES = 4_000_000;

    private static final int ESCAPE = "\\ud800".length();

    private final ObjectNode answer;
    private ArrayNode items;
    private long bytes;

    /**
     * @param answer the object to which the list is added
     * @param name the list's field
     */
    public AnswerItems(ObjectNode answer, String name) {
        this.answer = answer;
        this.items = answer.putArray(name);
    }

    /** Begins another list of the same answer. The size of all lists counts together. */
    public AnswerItems next(String name) {
        items = answer.putArray(name);
        return this;
    }

    /**
     * Adds an item if it fits. The first item always fits, so that every page makes progress.
     *
     * @return {@code false} if the list ends before the item
     */
    public boolean add(JsonNode item) {
        String text = Json.text(item);
        long more = sentBytes(text) + 1;
        if (bytes + more > MAX_BYTES && bytes > 0) {
            return false;
        }
        bytes += more;
        // The raw value avoids serialising the item a second time.
        items.addRawValue(new RawValue(text));
        return true;
    }

    /** Adds items up to the first that does not fit. Returns whether all items were added. */
    public boolean addAll(Stream<? extends JsonNode> more) {
        return more.allMatch(this::add);
    }

    /** Returns the number of items. */
    public int size() {
        return items.size();
    }

    /** Returns the size of a body in the response that Lambda sends, in bytes. */
    static long sentBytes(String body) {
        return body.chars().mapToLong(AnswerItems::sentBytes).sum();
    }

    private static long sentBytes(int c) {
        if (c < 0x80) {
            return c == '"' || c == '\\' ? 2 : 1;
        }
        if (Character.isSurrogate((char) c)) {
            return ESCAPE;
        }
        return c < 0x800 ? 2 : 3;
    }
}
