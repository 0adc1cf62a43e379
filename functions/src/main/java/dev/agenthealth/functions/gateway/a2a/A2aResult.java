package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Translates tasks and messages of agents into the version of a caller. Values that do not exist in that version stay unchanged. */
public final class A2aResult {

    private static final String KIND = "kind";
    private static final String TASK = "task";
    private static final String MESSAGE = "message";
    private static final String STATUS = "status";
    private static final String STATE = "state";
    private static final String FINAL = "final";
    private static final String STATES = "TASK_STATE_";
    static final String UNKNOWN = "unknown";

    private A2aResult() {}

    /** The kind of a result, by its name in 1.0 and the value of {@code kind} in 0.3. */
    enum Kind {
        TASK(A2aResult.TASK, A2aResult.TASK),
        MESSAGE(A2aResult.MESSAGE, A2aResult.MESSAGE),
        STATUS_UPDATE("statusUpdate", "status-update"),
        ARTIFACT_UPDATE("artifactUpdate", "artifact-update");

        private final String name;
        private final String older;

        Kind(String name, String older) {
            this.name = name;
            this.older = older;
        }

        /** Returns the kind of a result in either version; empty if it is no result. */
        static Optional<Kind> of(JsonNode result) {
            return Arrays.stream(values())
                    .filter(kind -> result.has(KIND)
                            ? result.path(KIND).asText().equals(kind.older)
                            : result.path(kind.name).isObject())
                    .findFirst();
        }

        JsonNode inner(JsonNode result) {
            return result.has(KIND) ? result : result.path(name);
        }
    }

    /** Returns the result of a sent message, or a part of a stream, in this version. A value that is no A2A result stays unchanged. */
    public static JsonNode of(JsonNode result, A2aVersion version) {
        Optional<Kind> kind = Kind.of(result);
        if (kind.isEmpty()) {
            return result;
        }
        JsonNode inner = kind.get().inner(result);
        JsonNode translated =
                switch (kind.get()) {
                    case TASK -> task(inner, version);
                    case MESSAGE -> message(inner, version);
                    case STATUS_UPDATE -> statusUpdate(inner, version);
                    case ARTIFACT_UPDATE -> artifactUpdate(inner, version);
                };
        return switch (version) {
            case V0_3 -> translated;
            case V1_0 -> Json.object().set(kind.get().name, translated);
        };
    }

    private static JsonNode statusUpdate(JsonNode update, A2aVersion version) {
        ObjectNode translated = withKind(update, Kind.STATUS_UPDATE.older, version);
        putStatus(update, translated, version);
        boolean isFinal = update.path(FINAL).asBoolean(isTerminal(stateOf(update)));
        translated.remove(FINAL);
        return version == A2aVersion.V0_3 ? translated.put(FINAL, isFinal) : translated;
    }

    private static JsonNode artifactUpdate(JsonNode update, A2aVersion version) {
        ObjectNode translated = withKind(update, Kind.ARTIFACT_UPDATE.older, version);
        if (update.path("artifact").isObject()) {
            translated.set("artifact", withParts(update.path("artifact").deepCopy(), version));
        }
        return translated;
    }

    /** Returns the state of a task, or of an update of its status, with its name in version 0.3. */
    static String stateOf(JsonNode task) {
        return state(task.path(STATUS).path(STATE).asText());
    }

    /** Returns whether a state, with its name in version 0.3, is the end of a task. */
    static boolean isTerminal(String state) {
        return Set.of("completed", "failed", "canceled", "rejected").contains(state);
    }

    /** Returns the id of the task in a result or in a part of a stream; empty without a task. */
    public static Optional<String> taskId(JsonNode result) {
        return Kind.of(result)
                .map(kind -> kind.inner(result)
                        .path(kind == Kind.TASK ? "id" : "taskId")
                        .asText())
                .filter(id -> !id.isEmpty());
    }

    /** Returns the result in a notification of an agent, in any form that agents send; empty if the notification is not about a task. */
    public static Optional<JsonNode> notification(JsonNode body) {
        // Agents of 0.3 send a task, sometimes without its kind.
        boolean task = Kind.of(body).isEmpty() && body.isObject() && body.has("id") && body.has(STATUS);
        JsonNode result = task ? ((ObjectNode) body.deepCopy()).put(KIND, TASK) : body;
        boolean known = Kind.of(result)
                .filter(kind ->
                        kind == Kind.ARTIFACT_UPDATE || kind == Kind.MESSAGE || isState(stateOf(kind.inner(result))))
                .isPresent();
        return known && taskId(result).isPresent() ? Optional.of(result) : Optional.empty();
    }

    /** The meaning of a task's state. */
    public enum TaskState {
        RUNS,
        /** The task needs an answer or a sign-in of a person. */
        WAITS_FOR_PERSON,
        ENDED
    }

    /** Returns the state of the task in a result or in a part of a stream; empty without a state. */
    public static Optional<TaskState> taskState(JsonNode result) {
        return Kind.of(result)
                .map(kind -> stateOf(kind.inner(result)))
                .filter(A2aResult::isState)
                .map(state -> switch (state) {
                    case "input-required", "auth-required" -> TaskState.WAITS_FOR_PERSON;
                    default -> isTerminal(state) ? TaskState.ENDED : TaskState.RUNS;
                });
    }

    /** Returns the last state of the task in a result, with its name in version 0.3; empty if the task goes on, and without a task. */
    public static Optional<String> end(JsonNode result) {
        return Kind.of(result).map(kind -> stateOf(kind.inner(result))).filter(A2aResult::isTerminal);
    }

    /** Returns whether a task has ended with this result. */
    public static boolean isEnd(JsonNode result) {
        return end(result).isPresent();
    }

    /**
     * Returns a notification in this version. In version 0.3, notifications contain only tasks, so the task has all known values. Empty for a part
     * of the output, which has no state.
     */
    public static Optional<JsonNode> notification(JsonNode result, A2aVersion version) {
        if (version == A2aVersion.V1_0
                || Kind.of(result).filter(Kind.TASK::equals).isPresent()) {
            return Optional.of(of(result, version));
        }
        return Kind.of(result).filter(Kind.STATUS_UPDATE::equals).map(kind -> {
            JsonNode update = kind.inner(result);
            ObjectNode task = Json.object().put("id", update.path("taskId").asText());
            A2aMessage.copy(update, "contextId", task, "contextId");
            task.set(STATUS, update.path(STATUS));
            return task(task, version);
        });
    }

    /** Returns a task in this version. */
    public static JsonNode task(JsonNode task, A2aVersion version) {
        if (!task.isObject()) {
            return task;
        }
        ObjectNode translated = withKind(task, TASK, version);
        putStatus(task, translated, version);
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

    private static void putStatus(JsonNode from, ObjectNode to, A2aVersion version) {
        if (from.path(STATUS).isObject()) {
            ObjectNode status = from.path(STATUS).deepCopy();
            status.put(STATE, state(status.path(STATE).asText(), version));
            if (status.path(MESSAGE).isObject()) {
                status.set(MESSAGE, message(status.path(MESSAGE), version));
            }
            to.set(STATUS, status);
        }
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
        return A2aMessage.unwrapped(newer);
    }

    /** Returns the name of a task's state in version 0.3. Both versions have the same states under different names. */
    static String state(String state) {
        String word = state.startsWith(STATES)
                ? state.substring(STATES.length()).toLowerCase(Locale.ROOT).replace('_', '-')
                : state;
        return switch (word) {
            case "unspecified" -> UNKNOWN;
            // HTTP+JSON of 0.3 uses this spelling.
            case "cancelled" -> "canceled";
            default -> word;
        };
    }

    /** Returns whether a text is a state of tasks, with its name in version 0.3. */
    static boolean isState(String state) {
        return isTerminal(state)
                || Set.of("submitted", "working", "input-required", "auth-required", UNKNOWN)
                        .contains(state);
    }

    static String state(String state, A2aVersion version) {
        String word = state(state);
        String upper = word.equals(UNKNOWN)
                ? "UNSPECIFIED"
                : word.toUpperCase(Locale.ROOT).replace('-', '_');
        return version == A2aVersion.V0_3 ? word : STATES + upper;
    }
}
