package dev.agenthealth.functions.runtime.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.POJONode;
import java.io.CharArrayWriter;
import java.io.IOException;
import java.nio.CharBuffer;

/**
 * The texts of many trees, one after another with commas between them: the elements of a long JSON array. All trees share one buffer, so
 * that an element needs no text of its own. Not thread-safe.
 */
public final class JsonTexts {

    private static final char SEPARATOR = ',';

    private final Buffer buffer = new Buffer();
    private final JsonGenerator generator = Json.generator(buffer);
    private int size;

    /** The characters of all texts. It writes itself as the elements of an array. */
    private static final class Buffer extends CharArrayWriter implements JsonSerializable {

        private static final int FIRST_LENGTH = 4_096;

        Buffer() {
            super(FIRST_LENGTH);
        }

        char[] chars() {
            return buf;
        }

        /** Removes all characters after the first ones. */
        void shorten(int length) {
            count = length;
        }

        @Override
        public void serialize(JsonGenerator out, SerializerProvider serializers) throws IOException {
            out.writeRawValue("[");
            out.writeRaw(buf, 0, count);
            out.writeRaw(']');
        }

        @Override
        public void serializeWithType(JsonGenerator out, SerializerProvider serializers, TypeSerializer types)
                throws IOException {
            serialize(out, serializers);
        }
    }

    /** Adds the text of a tree, and returns the position at which it begins. */
    public int add(JsonNode tree) {
        if (size > 0) {
            buffer.write(SEPARATOR);
        }
        int start = buffer.size();
        Json.write(generator, tree);
        size++;
        return start;
    }

    /** Removes the last text, and the comma before it. */
    public void removeFrom(int start) {
        buffer.shorten(Math.max(0, start - 1));
        size--;
    }

    /** Returns the number of texts. */
    public int size() {
        return size;
    }

    /** Returns the number of characters of all texts and commas. */
    public int length() {
        return buffer.size();
    }

    /** Returns a view of the texts from this position on. It is valid until the next change. */
    public CharSequence from(int start) {
        return CharBuffer.wrap(buffer.chars(), start, buffer.size() - start);
    }

    /** Returns the array of all texts that are added before the array is written. */
    public JsonNode array() {
        return new POJONode(buffer);
    }
}
