package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.ArrayList;
import java.util.List;

/** A message of a user to an agent. It is stored in the format of A2A 1.0 and sent in the format of the agent's version. Immutable. */
public final class A2aMessage {

    static final String ID = "messageId";
    static final String TASK_ID = "taskId";
    static final String REFERENCES = "referenceTaskIds";
    static final String PARTS = "parts";
    static final String TEXT = "text";
    static final String DATA = "data";
    static final String RAW = "raw";
    static final String URL = "url";
    static final String FILE_NAME = "filename";
    static final String MEDIA_TYPE = "mediaType";
    static final String METADATA = "metadata";

    /** The field for data that are no object, which 0.3 does not permit. The official SDKs translate them in the same way. */
    private static final String VALUE = "value";

    private static final String WRAPPED = "data_part_compat";

    private final ObjectNode json;

    private A2aMessage(ObjectNode json) {
        this.json = json;
    }

    /** Returns a message of one text. */
    public static A2aMessage ofText(String text) {
        ObjectNode json = Json.object();
        json.putArray(PARTS).addObject().put(TEXT, text);
        return new A2aMessage(json);
    }

    /** Returns a message in the format of 1.0, without a role. */
    static A2aMessage of(ObjectNode json) {
        return new A2aMessage(json);
    }

    /**
     * Returns a stored message.
     *
     * @throws IllegalStateException if the text is not a message
     */
    public static A2aMessage stored(String text) {
        return new A2aMessage((ObjectNode) Json.stored(text));
    }

    /** Returns the task that the message continues; empty if the agent begins a new task. */
    public String taskId() {
        return json.path(TASK_ID).asText();
    }

    /** Returns the tasks of the agent that the message continues or refers to. */
    public List<String> taskIds() {
        List<String> ids = new ArrayList<>();
        if (json.has(TASK_ID)) {
            ids.add(json.path(TASK_ID).asText());
        }
        json.path(REFERENCES).forEach(id -> ids.add(id.asText()));
        return ids;
    }

    /** Returns the JSON text in which the message is stored. */
    public String text() {
        return Json.text(json);
    }

    /** Returns the JSON text with sorted names; equal for messages that differ only in the order of names. */
    public String canonicalText() {
        return Json.text(Json.sorted(json));
    }

    /**
     * Returns the message in the format of a version.
     *
     * @param otherwiseId the id for a message without one
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

    static ObjectNode olderPart(JsonNode part) {
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
        if (part.has(DATA) && !part.path(DATA).isObject()) {
            older.putObject(DATA).set(VALUE, part.path(DATA));
            ObjectNode metadata = part.path(METADATA) instanceof ObjectNode given ? given.deepCopy() : Json.object();
            older.set(METADATA, metadata.put(WRAPPED, true));
        }
        return older;
    }

    /** Returns a part of 1.0 without the wrapper that {@link #olderPart} adds to data that are no object. */
    static ObjectNode unwrapped(ObjectNode part) {
        JsonNode value = part.path(DATA).path(VALUE);
        if (value.isMissingNode() || !part.path(METADATA).path(WRAPPED).asBoolean()) {
            return part;
        }
        part.set(DATA, value);
        ObjectNode metadata = ((ObjectNode) part.path(METADATA)).deepCopy().without(WRAPPED);
        if (metadata.isEmpty()) {
            part.remove(METADATA);
        } else {
            part.set(METADATA, metadata);
        }
        return part;
    }

    static void copy(JsonNode from, String name, ObjectNode to, String as) {
        if (from.has(name)) {
            to.set(as, from.path(name));
        }
    }
}
