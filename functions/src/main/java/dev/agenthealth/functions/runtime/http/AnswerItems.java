package dev.agenthealth.functions.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.JsonTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Collects the items of a list, up to the size of one response. Lambda accepts 6 MB, and the body is a text inside JSON. Quotes and
 * backslashes of the body are therefore escaped twice, and characters beyond the first 65,536 become two escapes. Not thread-safe.
 */
public final class AnswerItems {

    /** Maximum size of all items together, as Lambda counts it; the rest of the response needs the remaining space. */
    public static final int MAX_BYTES = 4_000_000;

    /** The bytes of an escaped surrogate, which are the most bytes of a character. */
    private static final int ESCAPE = "\\ud800".length();

    private final ObjectNode answer;
    private final List<JsonTexts> lists = new ArrayList<>();
    private JsonTexts items = new JsonTexts();

    /** The size of all items, or an upper bound of it. */
    private long bytes;

    /** True if the size is counted. Most pages are so small that an upper bound is enough. */
    private boolean counted;

    /**
     * @param answer the object to which the list is added
     * @param name the list's field
     */
    public AnswerItems(ObjectNode answer, String name) {
        this.answer = answer;
        next(name);
    }

    /** Begins another list of the same answer. The size of all lists counts together. */
    public AnswerItems next(String name) {
        items = new JsonTexts();
        lists.add(items);
        answer.set(name, items.array());
        return this;
    }

    /**
     * Adds an item if it fits. The first item always fits, so that every page makes progress.
     *
     * @return {@code false} if the list ends before the item
     */
    public boolean add(JsonNode item) {
        boolean first = bytes == 0;
        int start = items.add(item);
        long more = 1 + (counted ? sentBytes(items.from(start)) : (long) ESCAPE * (items.length() - start));
        if (bytes + more > MAX_BYTES && !counted) {
            counted = true;
            more = 1 + sentBytes(items.from(start));
            // The last text of each list has no comma.
            bytes = lists.stream()
                            .filter(list -> list.size() > 0)
                            .mapToLong(list -> 1 + sentBytes(list.from(0)))
                            .sum()
                    - more;
        }
        if (bytes + more > MAX_BYTES && !first) {
            items.removeFrom(start);
            return false;
        }
        bytes += more;
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
    static long sentBytes(CharSequence body) {
        long bytes = 0;
        for (int i = 0; i < body.length(); i++) {
            bytes += sentBytes(body.charAt(i));
        }
        return bytes;
    }

    private static int sentBytes(char c) {
        if (c < 0x80) {
            return c == '"' || c == '\\' ? 2 : 1;
        }
        if (Character.isSurrogate(c)) {
            return ESCAPE;
        }
        return c < 0x800 ? 2 : 3;
    }
}
