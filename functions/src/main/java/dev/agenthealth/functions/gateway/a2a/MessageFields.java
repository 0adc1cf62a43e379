package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * Reads the message of a caller: a text, or a message in the format of A2A 0.3 or 1.0, independent of the agent's version. Errors are recorded on
 * the fields.
 */
public final class MessageFields {

    private static final String MESSAGE = "message";
    private static final int MAX_PARTS = 100;
    private static final int MAX_REFERENCES = 50;
    private static final int MAX_ID = 128;
    private static final int MAX_NAME = 255;
    private static final int MAX_URL = 2_048;
    private static final int MAX_METADATA_BYTES = 16 * 1024;

    private MessageFields() {}

    /** Returns the message of a request. If the request has errors, the message may have no parts. */
    public static A2aMessage of(Fields body) {
        JsonNode message = body.any(MESSAGE);
        if (message.isTextual()) {
            body.require(MESSAGE);
            return A2aMessage.ofText(message.textValue());
        }
        if (!message.isObject()) {
            body.refuse(MESSAGE, message.isMissingNode() ? "is required" : "must be a text or an A2A message");
            return A2aMessage.of(Json.object());
        }
        return A2aMessage.of(message(body.object(MESSAGE).withEmptyTexts()));
    }

    private static ObjectNode message(Fields fields) {
        ObjectNode message = Json.object();
        for (String name : List.of(A2aMessage.ID, "contextId", A2aMessage.TASK_ID)) {
            putText(fields, name, MAX_ID, message, name);
        }
        fields.oneOf("kind", MESSAGE);
        fields.oneOf("role", "ROLE_USER", "user");
        ArrayNode parts = message.putArray(A2aMessage.PARTS);
        List<Fields> given = fields.objects(A2aMessage.PARTS, MAX_PARTS);
        if (given.isEmpty()
                && !(fields.any(A2aMessage.PARTS).isArray()
                        && !fields.any(A2aMessage.PARTS).isEmpty())) {
            fields.refuse(A2aMessage.PARTS, "must hold at least one part");
        }
        for (int i = 0; i < given.size(); i++) {
            ObjectNode part = Json.object();
            if (read(given.get(i), part) != 1) {
                fields.refuse(A2aMessage.PARTS + "[" + i + "]", "must hold exactly one of text, data and a file");
            }
            parts.add(part);
        }
        for (String name : List.of("extensions", A2aMessage.REFERENCES)) {
            List<String> texts = fields.texts(name, MAX_REFERENCES, MAX_URL);
            if (!texts.isEmpty()) {
                texts.forEach(message.putArray(name)::add);
            }
        }
        putMetadata(fields, message);
        fields.refuseUnknown();
        return message;
    }

    /** Reads a part. Returns the number of contents in it. */
    private static int read(Fields fields, ObjectNode part) {
        fields.oneOf("kind", "data", "file", "text");
        int contents = 0;
        if (fields.has(A2aMessage.TEXT)) {
            contents++;
            // Unlike texts of the registry, a message may contain line breaks.
            if (fields.any(A2aMessage.TEXT).isTextual()) {
                part.set(A2aMessage.TEXT, fields.any(A2aMessage.TEXT));
            } else {
                fields.refuse(A2aMessage.TEXT, "must be a text");
            }
        }
        if (fields.has(A2aMessage.DATA)) {
            contents++;
            checkNumbers(fields, A2aMessage.DATA);
            part.set(A2aMessage.DATA, fields.any(A2aMessage.DATA));
        }
        if (fields.has("file")) {
            contents += file(fields.object("file"), part, "bytes", "uri", "name", "mimeType", true);
        }
        contents +=
                file(fields, part, A2aMessage.RAW, A2aMessage.URL, A2aMessage.FILE_NAME, A2aMessage.MEDIA_TYPE, false);
        putMetadata(fields, part);
        fields.refuseUnknown();
        return contents;
    }

    /** Returns the number of contents of a file: its bytes and its URI. */
    private static int file(
            Fields fields, ObjectNode part, String bytes, String url, String name, String mediaType, boolean whole) {
        int contents = 0;
        if (fields.has(bytes)) {
            contents++;
            if (fields.any(bytes).isTextual()) {
                part.set(A2aMessage.RAW, fields.any(bytes));
            } else {
                fields.refuse(bytes, "must be a text in base64");
            }
        }
        if (fields.has(url)) {
            contents++;
            putText(fields, url, MAX_URL, part, A2aMessage.URL);
        }
        putText(fields, name, MAX_NAME, part, A2aMessage.FILE_NAME);
        putText(fields, mediaType, MAX_NAME, part, A2aMessage.MEDIA_TYPE);
        if (whole) {
            fields.refuseUnknown();
        }
        return contents;
    }

    private static void putMetadata(Fields fields, ObjectNode target) {
        metadata(fields, MAX_METADATA_BYTES).ifPresent(text -> target.set(A2aMessage.METADATA, Json.stored(text)));
    }

    /** Returns the JSON text of metadata; empty if they are absent or have an error. */
    static Optional<String> metadata(Fields fields, int maxBytes) {
        checkNumbers(fields, A2aMessage.METADATA);
        return fields.opaqueObject(A2aMessage.METADATA, maxBytes);
    }

    /** Checks the numbers of metadata. The form of A2A is Protocol Buffers, and agents fail on numbers outside of its range. */
    private static void checkNumbers(Fields fields, String name) {
        if (!Json.hasDoublesOnly(fields.any(name))) {
            fields.refuse(name, "must have numbers that fit into a double");
        }
    }

    private static void putText(Fields fields, String name, int longest, ObjectNode target, String as) {
        String text = fields.text(name, longest);
        if (!text.isEmpty()) {
            target.put(as, text);
        }
    }
}
