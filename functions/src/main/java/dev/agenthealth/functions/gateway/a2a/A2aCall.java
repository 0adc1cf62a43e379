package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/** A request of an A2A client to an agent behind the gateway, by JSON-RPC or HTTP+JSON. Immutable. */
public final class A2aCall {

    /** The kinds of calls. */
    public enum Operation {
        SEND_MESSAGE("SendMessage", "message/send"),
        STREAM_MESSAGE("SendStreamingMessage", "message/stream"),
        SUBSCRIBE("SubscribeToTask", "tasks/resubscribe"),
        GET_TASK("GetTask", "tasks/get"),
        CANCEL_TASK("CancelTask", "tasks/cancel"),
        LIST_TASKS("ListTasks", "tasks/list"),
        GET_EXTENDED_CARD("GetExtendedAgentCard", "agent/getAuthenticatedExtendedCard"),
        CREATE_PUSH_CONFIG("CreateTaskPushNotificationConfig", "tasks/pushNotificationConfig/set"),
        GET_PUSH_CONFIG("GetTaskPushNotificationConfig", "tasks/pushNotificationConfig/get"),
        LIST_PUSH_CONFIGS("ListTaskPushNotificationConfigs", "tasks/pushNotificationConfig/list"),
        DELETE_PUSH_CONFIG("DeleteTaskPushNotificationConfig", "tasks/pushNotificationConfig/delete");

        private final String newer;
        private final String older;

        Operation(String newer, String older) {
            this.newer = newer;
            this.older = older;
        }

        /** Returns the name of the JSON-RPC method. */
        String method(A2aVersion version) {
            return version == A2aVersion.V0_3 ? older : newer;
        }
    }

    private static final Pattern OLDER = Pattern.compile("|0[.]3([.][0-9]+)?");
    private static final Pattern NEWER = Pattern.compile("1[.]0([.][0-9]+)?");
    private static final String UNSUPPORTED = "unsupported_operation";
    private static final int MAX_TASK_ID = 255;
    private static final int MAX_HISTORY = 1_000;

    private final A2aVersion version;
    private final Operation operation;
    private final JsonNode params;

    private A2aCall(A2aVersion version, Operation operation, JsonNode params) {
        this.version = version;
        this.operation = operation;
        this.params = params;
    }

    /**
     * Returns the JSON of a request.
     *
     * @throws A2aError if the body is no JSON
     */
    public static JsonNode json(String body) {
        try {
            JsonNode json = Json.received(body);
            if (!json.isMissingNode()) {
                return json;
            }
        } catch (UnreadableJsonException e) {
            throw A2aError.of(A2aError.PARSE_ERROR, "The request " + e.getMessage() + ".", "parse_error");
        }
        throw A2aError.of(A2aError.PARSE_ERROR, "The request is empty.", "parse_error");
    }

    /** Returns the id of a request; a missing node without a valid id. */
    public static JsonNode id(JsonNode json) {
        JsonNode id = json.path("id");
        return id.isTextual() || id.isIntegralNumber() ? id : MissingNode.getInstance();
    }

    /**
     * Returns the call of a request.
     *
     * @param versionHeader the value of the header {@code A2A-Version}; empty means 0.3
     * @throws A2aError if it is no A2A request, or the gateway does not offer the method
     */
    public static A2aCall of(JsonNode json, String versionHeader) {
        A2aVersion version = version(versionHeader);
        boolean valid = json.path("jsonrpc").asText().equals("2.0")
                && json.path("method").isTextual()
                && !id(json).isMissingNode();
        if (!valid) {
            throw A2aError.of(
                    A2aError.INVALID_REQUEST,
                    "The request is not one of JSON-RPC 2.0 with an id and a method; several at once are not taken.",
                    "invalid_request");
        }
        Operation operation = operation(version, json.path("method").textValue());
        JsonNode params = json.path("params");
        if (params.isMissingNode() && operation == Operation.GET_EXTENDED_CARD) {
            params = Json.object();
        }
        if (!params.isObject()) {
            throw invalid("params must be an object.");
        }
        return new A2aCall(version, operation, params);
    }

    /**
     * Returns the call of an HTTP+JSON request, which has version 1.0.
     *
     * @param versionHeader the value of the header {@code A2A-Version}
     * @throws A2aError if it is another version
     */
    public static A2aCall ofHttp(Operation operation, ObjectNode params, String versionHeader) {
        if (!NEWER.matcher(versionHeader).matches()) {
            ObjectNode supported = Json.object().put("supported", "1.0");
            throw A2aError.of(
                    A2aError.VERSION_NOT_SUPPORTED,
                    "With HTTP+JSON, A2A-Version must be 1.0.",
                    "version_not_supported",
                    supported);
        }
        return new A2aCall(A2aVersion.V1_0, operation, params);
    }

    private static A2aVersion version(String header) {
        if (OLDER.matcher(header).matches()) {
            return A2aVersion.V0_3;
        }
        if (NEWER.matcher(header).matches()) {
            return A2aVersion.V1_0;
        }
        ObjectNode supported = Json.object().put("supported", "1.0, 0.3");
        throw A2aError.of(
                A2aError.VERSION_NOT_SUPPORTED, "A2A-Version must be 1.0 or 0.3.", "version_not_supported", supported);
    }

    private static Operation operation(A2aVersion version, String method) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.method(version).equals(method))
                .findFirst()
                .orElseThrow(() -> unknown(method));
    }

    /** Returns the error for a method that the gateway does not offer here. */
    public static A2aError unsupported(String method) {
        return A2aError.of(A2aError.UNSUPPORTED_OPERATION, "The gateway does not support " + method + ".", UNSUPPORTED);
    }

    /** Returns the error for an agent that sends no push notifications. */
    public static A2aError pushNotSupported() {
        return A2aError.of(
                A2aError.PUSH_NOT_SUPPORTED,
                "The agent's card promises no push notifications.",
                "push_notification_not_supported");
    }

    /** Returns the error for a method or path that A2A does not have. */
    public static A2aError unknown(String method) {
        String shown = method.length() > 100 ? method.substring(0, 100) : method;
        return A2aError.of(
                A2aError.METHOD_NOT_FOUND, "There is no method '" + shown + "' in this version.", "method_not_found");
    }

    /** Returns the error for invalid parameters. */
    public static A2aError invalid(String message) {
        return A2aError.of(A2aError.INVALID_PARAMS, message, "invalid_params");
    }

    public A2aVersion version() {
        return version;
    }

    public Operation operation() {
        return operation;
    }

    /**
     * A message to send.
     *
     * @param options the way in which the agent should answer, including notifications about its task
     */
    public record Sending(A2aMessage message, A2aOptions options) {}

    /**
     * Returns the message of a call that sends a message.
     *
     * @throws A2aError if the call has no message
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every field with an error
     */
    public Sending message() {
        if (!params.path("message").isObject()) {
            throw invalid("params.message must be an object.");
        }
        Fields fields = Fields.ofBody(Json.text(params)).withEmptyTexts();
        fields.object("message").require(A2aMessage.ID);
        Sending sending = new Sending(MessageFields.of(fields), A2aOptions.of(fields));
        fields.check();
        return sending;
    }

    /**
     * Returns the query of a call that lists tasks, and the position in the list from a page token.
     *
     * @param position reads the token in a field
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every field with an error
     */
    public TaskPage list(ToIntFunction<Fields> position) {
        Fields fields = Fields.ofBody(Json.text(params)).withEmptyTexts();
        TaskPage page = new TaskPage(TaskListQuery.of(fields), position.applyAsInt(fields));
        fields.check();
        return page;
    }

    /**
     * Returns the parameters of a list without the ones that differ from page to page. A page token is valid only for a list with the same
     * parameters.
     */
    public String canonicalFilters() {
        ObjectNode filters = params.deepCopy();
        filters.remove(List.of("pageToken", "pageSize", "historyLength", "includeArtifacts"));
        return Json.text(Json.sorted(filters));
    }

    /**
     * A page of a list of tasks.
     *
     * @param first the position of the first task
     */
    public record TaskPage(TaskListQuery query, int first) {}

    /**
     * Returns the task of a call that reads or cancels a task.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every field with an error
     */
    public TaskQuery task() {
        Fields fields = Fields.ofBody(Json.text(params)).withEmptyTexts();
        fields.require("id");
        TaskQuery query = operation == Operation.CANCEL_TASK
                ? TaskQuery.toCancel(
                        fields.text("id", MAX_TASK_ID),
                        MessageFields.metadata(fields, A2aOptions.MAX_METADATA_BYTES)
                                .orElse(""))
                : TaskQuery.toRead(fields.text("id", MAX_TASK_ID), fields.integer("historyLength", 0, MAX_HISTORY));
        fields.check();
        return query;
    }

    /**
     * A call about the notifications of a task.
     *
     * @param id the id of the configuration; empty for the only configuration, or for all
     * @param config the configuration to set; empty for any other operation
     */
    public record PushCall(String taskId, String id, Optional<PushConfig> config) {}

    /**
     * Returns the parameters of a call about notifications of a task. Each version has other names for them.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 naming every field with an error
     */
    public PushCall push() {
        Fields fields = Fields.ofBody(Json.text(params)).withEmptyTexts();
        boolean creates = operation == Operation.CREATE_PUSH_CONFIG;
        boolean older = version == A2aVersion.V0_3;
        String task = older && !creates ? "id" : "taskId";
        fields.require(task);
        String taskId = fields.text(task, MAX_TASK_ID);
        Optional<PushConfig> config = Optional.empty();
        String id = "";
        if (creates) {
            if (older) {
                fields.require(PushConfig.OLDER);
            }
            config = Optional.of(PushConfig.of(older ? fields.object(PushConfig.OLDER) : fields));
            id = config.get().id();
        } else if (operation != Operation.LIST_PUSH_CONFIGS) {
            String name = older ? "pushNotificationConfigId" : "id";
            // Only a caller of 0.3 that reads the only configuration may leave out the id.
            if (!older || operation == Operation.DELETE_PUSH_CONFIG) {
                fields.require(name);
            }
            id = fields.text(name, PushConfig.MAX_ID);
        }
        fields.check();
        return new PushCall(taskId, id.isEmpty() ? taskId : id, config);
    }
}
