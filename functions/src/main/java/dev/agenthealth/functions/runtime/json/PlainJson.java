package dev.agenthealth.functions.runtime.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;

/**
 * Writes short trees of plain texts and numbers, such as the answer to a heartbeat or the row of a list, in half the time of a generator.
 * The elements of {@link JsonTexts} may be long. Not thread-safe.
 */
final class PlainJson {

    /** A longer text belongs to a long answer, for which the generator is as fast. */
    private static final int MAX_LENGTH = 4_096;

    private final StringBuilder out;
    private long end;

    private PlainJson(StringBuilder out) {
        this.out = out;
        this.end = out.length() + (long) MAX_LENGTH;
    }

    /**
     * Appends the JSON text of a tree. If the tree is long, or has a text or number that needs the generator, appends nothing and returns
     * false.
     */
    static boolean append(StringBuilder out, JsonNode tree) {
        int start = out.length();
        if (new PlainJson(out).append(tree)) {
            return true;
        }
        out.setLength(start);
        return false;
    }

    private boolean append(JsonNode tree) {
        if (out.length() > end) {
            return false;
        }
        if (tree instanceof TextNode text) {
            return appendText(text.textValue());
        }
        if (tree instanceof ObjectNode object) {
            return appendObject(object);
        }
        if (tree instanceof IntNode || tree instanceof LongNode) {
            out.append(tree.longValue());
            return true;
        }
        if (tree instanceof BooleanNode) {
            out.append(tree.booleanValue());
            return true;
        }
        if (tree instanceof NullNode) {
            out.append("null");
            return true;
        }
        if (tree instanceof ArrayNode array) {
            return appendArray(array);
        }
        return appendOther(tree);
    }

    private boolean appendOther(JsonNode tree) {
        if (tree instanceof DecimalNode) {
            out.append(tree.decimalValue());
            return true;
        }
        if (tree instanceof DoubleNode && Double.isFinite(tree.doubleValue())) {
            out.append(tree.doubleValue());
            return true;
        }
        if (tree instanceof POJONode node && node.getPojo() instanceof JsonTexts texts) {
            texts.appendArray(out);
            end += texts.length();
            return true;
        }
        return false;
    }

    private boolean appendObject(ObjectNode object) {
        char before = '{';
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            out.append(before);
            before = ',';
            if (!appendText(field.getKey())) {
                return false;
            }
            out.append(':');
            if (!append(field.getValue())) {
                return false;
            }
        }
        out.append(object.isEmpty() ? "{}" : "}");
        return true;
    }

    private boolean appendArray(ArrayNode array) {
        char before = '[';
        for (JsonNode element : array) {
            out.append(before);
            before = ',';
            if (!append(element)) {
                return false;
            }
        }
        out.append(array.isEmpty() ? "[]" : "]");
        return true;
    }

    private boolean appendText(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                return false;
            }
        }
        out.append('"').append(text).append('"');
        return true;
    }
}
