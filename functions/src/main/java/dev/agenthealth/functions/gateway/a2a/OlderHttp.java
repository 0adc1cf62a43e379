package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.List;

/** Converts HTTP+JSON of A2A 0.3. Its messages have the form of Protocol Buffers, unlike JSON-RPC and version 1.0. */
final class OlderHttp {

    private static final String CONTENT = "content";
    private static final String FILE = "file";
    private static final String MESSAGE = "message";
    private static final String CONFIGURATION = "configuration";
    private static final String PUSH = "pushNotification";

    private OlderHttp() {}

    /** Returns the body that sends a message, from the parameters of JSON-RPC in 0.3. */
    static ObjectNode message(ObjectNode params) {
        ObjectNode body = params.deepCopy();
        ObjectNode message = body.withObjectProperty(MESSAGE);
        ArrayNode content = Json.object().putArray(CONTENT);
        message.path(A2aMessage.PARTS).forEach(part -> content.add(sent(part)));
        // This form has no references, and SDKs refuse unknown fields.
        message.remove(List.of("kind", A2aMessage.PARTS, A2aMessage.REFERENCES));
        message.put("role", "ROLE_USER").set(CONTENT, content);
        if (body.path(CONFIGURATION).has(PushConfig.OLDER)) {
            ObjectNode configuration = body.withObjectProperty(CONFIGURATION);
            configuration.set(PUSH, configuration.remove(PushConfig.OLDER));
        }
        return body;
    }

    private static ObjectNode sent(JsonNode part) {
        ObjectNode sent = Json.object();
        A2aMessage.copy(part, A2aMessage.TEXT, sent, A2aMessage.TEXT);
        if (part.has(A2aMessage.DATA)) {
            sent.putObject(A2aMessage.DATA).set(A2aMessage.DATA, part.path(A2aMessage.DATA));
        }
        if (part.has(FILE)) {
            ObjectNode file = sent.putObject(FILE);
            A2aMessage.copy(part.path(FILE), "bytes", file, "fileWithBytes");
            A2aMessage.copy(part.path(FILE), "uri", file, "fileWithUri");
            A2aMessage.copy(part.path(FILE), "name", file, "name");
            A2aMessage.copy(part.path(FILE), "mimeType", file, "mimeType");
        }
        A2aMessage.copy(part, A2aMessage.METADATA, sent, A2aMessage.METADATA);
        return sent;
    }

    /** Returns the body that sets the target for notifications, from the parameters of JSON-RPC in 0.3. */
    static ObjectNode push(ObjectNode params) {
        String task = "tasks/" + params.path("taskId").asText();
        String id = params.path(PushConfig.OLDER).path("id").asText();
        ObjectNode body = Json.object().put("parent", task).put("configId", id);
        body.putObject("config")
                .put("name", task + "/pushNotificationConfigs/" + id)
                .set(PushConfig.OLDER, params.path(PushConfig.OLDER));
        return body;
    }

    /** Returns a result, or a part of one, in the form of version 1.0. */
    static JsonNode result(JsonNode result) {
        JsonNode newer = result.deepCopy();
        newMessage(newer.path(MESSAGE));
        newTask(newer.path("task"));
        newMessage(newer.at("/statusUpdate/status/message"));
        newParts(newer.at("/artifactUpdate/artifact"), A2aMessage.PARTS);
        return newer;
    }

    /** Returns a task in the form of version 1.0. */
    static JsonNode task(JsonNode task) {
        JsonNode newer = task.deepCopy();
        newTask(newer);
        return newer;
    }

    private static void newTask(JsonNode task) {
        newMessage(task.at("/status/message"));
        task.path("history").forEach(OlderHttp::newMessage);
        task.path("artifacts").forEach(artifact -> newParts(artifact, A2aMessage.PARTS));
    }

    private static void newMessage(JsonNode message) {
        newParts(message, CONTENT);
    }

    private static void newParts(JsonNode holder, String name) {
        if (holder instanceof ObjectNode object && object.path(name).isArray()) {
            ArrayNode parts = Json.object().putArray(name);
            object.remove(name).forEach(part -> parts.add(newPart(part)));
            object.set(A2aMessage.PARTS, parts);
        }
    }

    private static JsonNode newPart(JsonNode part) {
        ObjectNode newer = Json.object();
        A2aMessage.copy(part, A2aMessage.TEXT, newer, A2aMessage.TEXT);
        A2aMessage.copy(part.path(A2aMessage.DATA), A2aMessage.DATA, newer, A2aMessage.DATA);
        JsonNode file = part.path(FILE);
        A2aMessage.copy(file, "fileWithBytes", newer, A2aMessage.RAW);
        A2aMessage.copy(file, "fileWithUri", newer, A2aMessage.URL);
        A2aMessage.copy(file, "name", newer, A2aMessage.FILE_NAME);
        A2aMessage.copy(file, "mimeType", newer, A2aMessage.MEDIA_TYPE);
        A2aMessage.copy(part, A2aMessage.METADATA, newer, A2aMessage.METADATA);
        return A2aMessage.unwrapped(newer);
    }
}
