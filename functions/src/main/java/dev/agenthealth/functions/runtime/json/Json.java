package dev.agenthealth.functions.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and writes strict JSON: no repeated names, no trailing text, no NaN, bounded nesting. It does not bind JSON to classes, because
 * reflection would slow every cold start. {@link ForeignJson} reads the documents of other systems.
 */
public final class Json {

    /** The maximum nesting of objects and arrays in a request. */
    public static final int MAX_NESTING = 32;

    private static final int MAX_DIGITS = 100;

    /** The length of most answers, in characters. */
    private static final int USUAL_LENGTH = 256;

    /** The text of an object without fields, such as the metadata of most agents. */
    private static final String EMPTY_OBJECT = "{}";

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_NESTING)
                    .maxNumberLength(MAX_DIGITS)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** The mapper is made for the first text that it reads or writes, because it loads 300 classes. */
    private static final class Mapper {

        static final JsonMapper INSTANCE = JsonMapper.builder(FACTORY)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .build();
    }

    private Json() {}

    /** Returns a new, empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the JSON text of a tree. */
    public static String text(JsonNode tree) {
        StringBuilder text = new StringBuilder(USUAL_LENGTH);
        return PlainJson.append(text, tree) ? text.toString() : generated(tree);
    }

    /** Appends the JSON text of a tree. */
    static void append(StringBuilder out, JsonNode tree) {
        if (!PlainJson.append(out, tree)) {
            out.append(generated(tree));
        }
    }

    private static String generated(JsonNode tree) {
        try {
            return Mapper.INSTANCE.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree in memory can always be written", e);
        }
    }

    /** Returns the JSON text of a message between two runs of a function. */
    public static String ofMessage(Map<String, Object> message) {
        try {
            return Mapper.INSTANCE.writeValueAsString(message);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a message can always be written", e);
        }
    }

    /**
     * Returns the message of a text from {@link #ofMessage}.
     *
     * @throws IllegalStateException if the text is not a JSON object
     */
    public static Map<String, Object> message(String text) {
        try {
            return Mapper.INSTANCE.readValue(text, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the message of another run is not a JSON object", e);
        }
    }

    /** Returns the tree with the names of every object sorted, so that equal trees have equal texts. */
    public static JsonNode sorted(JsonNode tree) {
        if (tree.isObject()) {
            SortedMap<String, JsonNode> fields = new TreeMap<>();
            tree.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
            return object().setAll(fields);
        }
        if (tree.isArray()) {
            ArrayNode elements = JsonNodeFactory.instance.arrayNode();
            tree.forEach(element -> elements.add(sorted(element)));
            return elements;
        }
        return tree;
    }

    /** Returns whether all numbers in a tree are within the range of a double. */
    public static boolean hasDoublesOnly(JsonNode tree) {
        for (JsonNode child : tree) {
            if (!hasDoublesOnly(child)) {
                return false;
            }
        }
        return !tree.isNumber() || Double.isFinite(tree.doubleValue());
    }

    /**
     * Returns the tree of a text that this system wrote itself.
     *
     * @throws IllegalStateException if the text is not JSON, which means that a stored item is damaged
     */
    public static JsonNode stored(String text) {
        if (text.equals(EMPTY_OBJECT)) {
            return object();
        }
        try {
            return Mapper.INSTANCE.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored JSON text cannot be read", e);
        }
    }

    /**
     * Returns the tree of a text that a caller sent.
     *
     * @throws UnreadableJsonException if the text is not JSON as described above, or holds a text that is not valid Unicode
     */
    public static JsonNode received(String text) {
        JsonNode tree;
        try {
            tree = Mapper.INSTANCE.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UnreadableJsonException("is not valid JSON: " + where(e));
        } catch (NumberFormatException e) {
            // Jackson accepts an exponent that does not fit into an int, and fails here.
            throw new UnreadableJsonException("is not valid JSON: a number is out of every range");
        }
        if ((text.contains("\\u") || isBroken(text)) && hasBrokenText(tree)) {
            throw new UnreadableJsonException("holds a text that is not valid Unicode");
        }
        return tree;
    }

    private static String where(JsonProcessingException e) {
        String what = e.getOriginalMessage().lines().findFirst().orElse("");
        String reason = "a syntax error";
        if (what.contains("Duplicate field")) {
            reason = "a name is repeated";
        } else if (what.contains("nesting depth")) {
            reason = "it is nested too deeply";
        } else if (what.contains("Number value length")) {
            reason = "a number has more than " + MAX_DIGITS + " digits";
        }
        return e.getLocation() == null
                ? reason
                : reason + " at line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** Returns whether a text of the tree holds an unpaired surrogate. UTF-8 cannot represent it: the response would fail instead of the request. */
    private static boolean hasBrokenText(JsonNode node) {
        if (node.isTextual()) {
            return isBroken(node.textValue());
        }
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                if (isBroken(field.getKey()) || hasBrokenText(field.getValue())) {
                    return true;
                }
            }
            return false;
        }
        for (JsonNode element : node) {
            if (hasBrokenText(element)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBroken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isHighSurrogate(text.charAt(i))
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }
}
