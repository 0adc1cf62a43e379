package dev.agenthealth.functions.runtime.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.POJONode;
import java.io.IOException;

/**
 * The texts of many trees, one after another with commas between them: the elements of a long JSON array. All trees share one buffer, so
 * that an element needs no text of its own. Not thread-safe.
 */
public final class JsonTexts implements JsonSerializable {

    private static final char SEPARATOR = ',';

    private static final int FIRST_LENGTH = 4_096;

    private final StringBuilder texts = new StringBuilder(FIRST_LENGTH);
    private int size;

    /** Adds the text of a tree, and returns the position at which it begins. */
    public int add(JsonNode tree) {
        if (size > 0) {
            texts.append(SEPARATOR);
        }
        int start = texts.length();
        Json.append(texts, tree);
        size++;
        return start;
    }

    /** Removes the last text, and the comma before it. */
    public void removeFrom(int start) {
        texts.setLength(Math.max(0, start - 1));
        size--;
    }

    /** Returns the number of texts. */
    public int size() {
        return size;
    }

    /** Returns the number of characters of all texts and commas. */
    public int length() {
        return texts.length();
    }

    /** Returns the texts from this position on. */
    public CharSequence from(int start) {
        return texts.substring(start);
    }

    /** Returns the array of all texts that are added before the array is written. */
    public JsonNode array() {
        return new POJONode(this);
    }

    /** Appends the array of all texts. */
    void appendArray(StringBuilder out) {
        out.append('[').append(texts).append(']');
    }

    @Override
    public void serialize(JsonGenerator out, SerializerProvider serializers) throws IOException {
        out.writeRawValue("[");
        out.writeRaw(texts.toString());
        out.writeRaw(']');
    }

    @Override
    public void serializeWithType(JsonGenerator out, SerializerProvider serializers, TypeSerializer types)
            throws IOException {
        serialize(out, serializers);
    }
}
