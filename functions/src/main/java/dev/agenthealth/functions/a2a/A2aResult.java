package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.profile.A2aVersion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Translates tasks and messages of agents into the version of a caller. What has no place in that version is kept as it is. */
public final class A2aResult {

    private static final String KIND = "kind";
    private static final String TASK = "task";
    private static final String MESSAGE = "message";
    private static final String STATE = "state";
    private static final String STATES = "TASK_STATE_";
    private static final String UNKNOWN = "unknown";

    private A2aResult() {}

    /** The result of a sent message in this version; unchanged where it is neither a task nor a message. */
    public static JsonNode ofMessage(JsonNode result, A2aVersion version) {
        boolean older = result.has(KIND);
        boolean isTask = older ? result.path(KIND).asText().equals(TASK) : result.has(TASK);
        JsonNode inner = older ? result : result.path(isTask ? TASK : MESSAGE);
        if (!inner.isObject()) {
            return result;
        }
        JsonNode translated = isTask ? task(inner, version) : message(inner, version);
        return switch (version) {
            case V0_3 -> translated;
            case V1_0 -> Json.object().set(isTask ? TASK : MESSAGE, translated);
        };
    }

    /** The id of the task that the result of a sent message is or belongs to; empty where it belongs to none. */
    public static Optional<String> taskId(JsonNode result) {
        boolean isTask = result.has(KIND) ? result.path(KIND).asText().equals(TASK) : result.has(TASK);
        JsonNode inner = result.has(KIND) ? result : result.path(isTask ? TASK : MESSAGE);
        return Optional.of(inner.path(isTask ? "id" : "taskId").asText()).filter(id -> !id.isEmpty());
    }

    /** The task in this version. */
    public static JsonNode task(JsonNode task, A2aVersion version) {
        if (!task.isObject()) {
            return task;
        }
        ObjectNode translated = withKind(task, TASK, version);
        if (task.path("status").isObject()) {
            ObjectNode status = task.path("status").deepCopy();
            status.put(STATE, state(status.path(STATE).asText(), version));
            if (status.path(MESSAGE).isObject()) {
                status.set(MESSAGE, message(status.path(MESSAGE), version));
            }
            translated.set("status", status);
        }
        if (task.path("history").isArray()) {
            ArrayNode history = translated.putArray("history");
            task.path("history").forEach(message -> history.add(message(message, version)));
        }
        if (task.path("artifacts").isArray()) {
            ArrayNode artifacts = translated.putArray("artifacts");
            task.path("artifacts").forEach(artifact -> artifacts.add(withParts(artifact.deepCopy(), version)));
        }
        return translated;
    }

    private static JsonNode message(JsonNode message, A2aVersion version) {
        if (!message.isObject()) {
            return message;
        }
        ObjectNode translated = withKind(message, MESSAGE, version);
        String role = message.path("role").asText().toLowerCase(Locale.ROOT).replace("role_", "");
        translated.put("role", version == A2aVersion.V0_3 ? role : "ROLE_" + role.toUpperCase(Locale.ROOT));
        return withParts(translated, version);
    }

    private static ObjectNode withKind(JsonNode from, String kind, A2aVersion version) {
        ObjectNode to = from.deepCopy();
        to.remove(KIND);
        return version == A2aVersion.V0_3 ? to.put(KIND, kind) : to;
    }

    private static JsonNode withParts(JsonNode holder, A2aVersion version) {
        if (holder instanceof ObjectNode object && object.path(A2aMessage.PARTS).isArray()) {
            ArrayNode parts = Json.object().putArray(A2aMessage.PARTS);
            object.path(A2aMessage.PARTS).forEach(part -> parts.add(part(part, version)));
            object.set(A2aMessage.PARTS, parts);
        }
        return holder;
    }

    private static JsonNode part(JsonNode part, A2aVersion version) {
        boolean older = part.has(KIND);
        if (!part.isObject() || older == (version == A2aVersion.V0_3)) {
            return part;
        }
        return older ? newerPart(part) : A2aMessage.olderPart(part);
    }

    private static ObjectNode newerPart(JsonNode part) {
        ObjectNode newer = Json.object();
        for (String name : List.of(A2aMessage.TEXT, A2aMessage.DATA, A2aMessage.METADATA)) {
            A2aMessage.copy(part, name, newer, name);
        }
        JsonNode file = part.path("file");
        Map.of(
                        "bytes", A2aMessage.RAW,
                        "uri", A2aMessage.URL,
                        "name", A2aMessage.FILE_NAME,
                        "mimeType", A2aMessage.MEDIA_TYPE)
                .forEach((name, as) -> A2aMessage.copy(file, name, newer, as));
        return newer;
    }

    /** The state of a task in the words of version 0.3. Both versions have the same states under different names. */
    static String state(String state) {
        String word = state.startsWith(STATES)
                ? state.substring(STATES.length()).toLowerCase(Locale.ROOT).replace('_', '-')
                : state;
        return word.equals("unspecified") ? UNKNOWN : word;
    }

    private static String state(String state, A2aVersion version) {
        String word = state(state);
        String upper = word.equals(UNKNOWN)
                ? "UNSPECIFIED"
                : word.toUpperCase(Locale.ROOT).replace('-', '_');
        return version == A2aVersion.V0_3 ? word : STATES + upper;
    }
}
