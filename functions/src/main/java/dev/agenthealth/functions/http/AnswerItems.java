package dev.agenthealth.functions.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import java.util.stream.Stream;

/**
 * The items of a list, as many as one answer can carry. Lambda takes 6 MB of an answer, in which the body is a text inside JSON: quotes and
 * backslashes are escaped once more, and characters beyond the first 65,536 become two escapes. Not thread-safe.
 */
public final class AnswerItems {

    /** The most bytes of all items together, as Lambda counts them. What is around them has room in the rest. */
    public static final int MAX_BYTES = 4_000_000;

    private static final int ESCAPE = "\\ud800".length();

    private final ArrayNode items;
    private long bytes;

    /**
     * A list without items.
     *
     * @param answer gets it
     * @param name its field
     */
    public AnswerItems(ObjectNode answer, String name) {
        this.items = answer.putArray(name);
    }

    /**
     * Adds an item, if it fits. The first one always does, so that whoever goes on with the next page gets somewhere.
     *
     * @return whether it was added; where not, the list ends before it
     */
    public boolean add(JsonNode item) {
        long more = sentBytes(Json.text(item)) + 1;
        if (bytes + more > MAX_BYTES && !items.isEmpty()) {
            return false;
        }
        bytes += more;
        items.add(item);
        return true;
    }

    /** Adds one item after the other, up to the first that does not fit; answers whether all were added. */
    public boolean addAll(Stream<? extends JsonNode> more) {
        return more.allMatch(this::add);
    }

    /** How many items there are. */
    public int size() {
        return items.size();
    }

    /** What a text of a body takes in the answer that Lambda hands on. */
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
