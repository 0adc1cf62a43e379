package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.profile.A2aVersion;

/**
 * A message of a user to an agent. Whatever layout it came in, it is kept in the layout of A2A 1.0 and written in the one that the agent
 * understands.
 */
public final class A2aMessage {

    static final String ID = "messageId";
    static final String PARTS = "parts";
    static final String TEXT = "text";
    static final String DATA = "data";
    static final String RAW = "raw";
    static final String URL = "url";
    static final String FILE_NAME = "filename";
    static final String MEDIA_TYPE = "mediaType";
    static final String METADATA = "metadata";

    private final ObjectNode json;

    private A2aMessage(ObjectNode json) {
        this.json = json;
    }

    /** A message that consists of a text. */
    public static A2aMessage ofText(String text) {
        ObjectNode json = Json.object();
        json.putArray(PARTS).addObject().put(TEXT, text);
        return new A2aMessage(json);
    }

    /** A message in the layout of 1.0, without a role. */
    static A2aMessage of(ObjectNode json) {
        return new A2aMessage(json);
    }

    /**
     * A message that was kept.
     *
     * @throws IllegalStateException where the text is none
     */
    public static A2aMessage stored(String text) {
        return new A2aMessage((ObjectNode) Json.stored(text));
    }

    /** The text by which it is kept. */
    public String text() {
        return Json.text(json);
    }

    /** The text of every message that says the same, in whatever order its names stand. */
    public String canonicalText() {
        return Json.text(Json.sorted(json));
    }

    /**
     * The message as an agent understands it.
     *
     * @param otherwiseId what it is called where the sender did not name it
     */
    ObjectNode json(A2aVersion version, String otherwiseId) {
        ObjectNode message = json.deepCopy();
        if (!message.has(ID)) {
            message.put(ID, otherwiseId);
        }
        return switch (version) {
            case V1_0 -> message.put("role", "ROLE_USER");
            case V0_3 -> older(message);
        };
    }

    private static ObjectNode older(ObjectNode message) {
        message.put("kind", "message").put("role", "user");
        ArrayNode parts = Json.object().putArray(PARTS);
        message.path(PARTS).forEach(part -> parts.add(olderPart(part)));
        message.set(PARTS, parts);
        return message;
    }

    private static ObjectNode olderPart(JsonNode part) {
        ObjectNode older = Json.object();
        if (part.has(TEXT)) {
            older.put("kind", TEXT).set(TEXT, part.path(TEXT));
        } else if (part.has(DATA)) {
            older.put("kind", DATA).set(DATA, part.path(DATA));
        } else {
            ObjectNode file = older.put("kind", "file").putObject("file");
            copy(part, RAW, file, "bytes");
            copy(part, URL, file, "uri");
            copy(part, FILE_NAME, file, "name");
            copy(part, MEDIA_TYPE, file, "mimeType");
        }
        copy(part, METADATA, older, METADATA);
        return older;
    }

    private static void copy(JsonNode from, String name, ObjectNode to, String as) {
        if (from.has(name)) {
            to.set(as, from.path(name));
        }
    }
}
