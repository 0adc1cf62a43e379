package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agenthealth.functions.gateway.a2a.A2aCall;
import dev.agenthealth.functions.gateway.a2a.A2aCall.Operation;
import dev.agenthealth.functions.gateway.a2a.A2aForm;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Serves the HTTP+JSON binding of A2A 1.0 below {@code /a2a/agents/{agent_id}}: reads calls, which {@link A2aFront} answers. Thread-safe. */
final class A2aHttp {

    private static final A2aForm FORM = new A2aForm.Http();
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");
    private static final String SUBSCRIBE = ":subscribe";
    private static final String CANCEL = ":cancel";

    private final A2aFront front;

    A2aHttp(A2aFront front) {
        this.front = front;
    }

    /** Answers {@code POST …/message:send} and {@code POST …/message:stream}. */
    ApiResponse message(ApiRequest request) {
        String path = request.pathText("operation");
        query(request);
        return answer(request, () -> switch (path) {
            case "message:send" -> call(request, Operation.SEND_MESSAGE, body(request));
            case "message:stream" -> call(request, Operation.STREAM_MESSAGE, body(request));
            default -> throw A2aCall.unknown(path);
        });
    }

    /** Answers {@code GET …/tasks}. */
    ApiResponse list(ApiRequest request) {
        ObjectNode params = query(
                request,
                "contextId",
                "status",
                "statusTimestampAfter",
                "pageToken",
                "pageSize",
                "historyLength",
                "includeArtifacts");
        return answer(request, () -> call(request, Operation.LIST_TASKS, params));
    }

    /** Answers {@code GET …/tasks/{id}}, {@code POST …/tasks/{id}:cancel}, and {@code …/tasks/{id}:subscribe} by either method. */
    ApiResponse task(ApiRequest request) {
        String path = request.pathText("task");
        boolean reads = request.routeKey().startsWith("GET ");
        ObjectNode query = reads ? query(request, "historyLength") : query(request);
        return answer(request, () -> {
            if (path.endsWith(SUBSCRIBE)) {
                return ofTask(request, Operation.SUBSCRIBE, path, SUBSCRIBE, query);
            }
            if (reads) {
                return ofTask(request, Operation.GET_TASK, path, "", query);
            }
            if (path.endsWith(CANCEL)) {
                ObjectNode params = request.body().isBlank() ? query : body(request);
                return ofTask(request, Operation.CANCEL_TASK, path, CANCEL, params);
            }
            throw A2aCall.unknown(path);
        });
    }

    /** Answers {@code POST …/tasks/{id}/pushNotificationConfigs}. */
    ApiResponse createPush(ApiRequest request) {
        query(request);
        return answer(request, () -> push(request, Operation.CREATE_PUSH_CONFIG, body(request)));
    }

    /** Answers {@code GET …/tasks/{id}/pushNotificationConfigs}. */
    ApiResponse listPushes(ApiRequest request) {
        ObjectNode params = query(request, "pageSize", "pageToken");
        return answer(request, () -> push(request, Operation.LIST_PUSH_CONFIGS, params));
    }

    /** Answers {@code GET …/tasks/{id}/pushNotificationConfigs/{id}}. */
    ApiResponse getPush(ApiRequest request) {
        ObjectNode params = query(request).put("id", request.pathText("config_id"));
        return answer(request, () -> push(request, Operation.GET_PUSH_CONFIG, params));
    }

    /** Answers {@code DELETE …/tasks/{id}/pushNotificationConfigs/{id}}. */
    ApiResponse deletePush(ApiRequest request) {
        ObjectNode params = query(request).put("id", request.pathText("config_id"));
        return answer(request, () -> push(request, Operation.DELETE_PUSH_CONFIG, params));
    }

    /** Returns the call about the task in the path. A task in the body is ignored. */
    private static A2aCall push(ApiRequest request, Operation operation, ObjectNode params) {
        return call(request, operation, params.put("taskId", request.pathText("task")));
    }

    /** Answers {@code GET …/extendedAgentCard}. */
    ApiResponse extendedCard(ApiRequest request) {
        ObjectNode params = query(request);
        return answer(request, () -> call(request, Operation.GET_EXTENDED_CARD, params));
    }

    private ApiResponse answer(ApiRequest request, Supplier<A2aCall> read) {
        return front.answer(request, FORM, read);
    }

    /** Returns the call about the task in the path. A task in the body is ignored. */
    private static A2aCall ofTask(
            ApiRequest request, Operation operation, String path, String suffix, ObjectNode params) {
        params.put("id", path.substring(0, path.length() - suffix.length()));
        return call(request, operation, params);
    }

    private static A2aCall call(ApiRequest request, Operation operation, ObjectNode params) {
        return A2aCall.ofHttp(operation, params, A2aFront.version(request));
    }

    private static ObjectNode body(ApiRequest request) {
        if (A2aCall.json(request.body()) instanceof ObjectNode params) {
            return params;
        }
        throw A2aCall.invalid("The body must be an object.");
    }

    /**
     * Returns the query parameters with these names as JSON, with numbers and flags in their JSON types. The parameter for the version may be
     * present too.
     *
     * @throws dev.agenthealth.functions.runtime.http.ApiError 400 if there are other parameters, as on every route
     */
    static ObjectNode query(ApiRequest request, String... names) {
        // Unlike other parameters, the version may be empty, which means 0.3.
        Fields fields = request.queryFieldsWithout(A2aFront.VERSION);
        fields.any(A2aFront.VERSION);
        ObjectNode params = Json.object();
        for (String name : names) {
            String text = fields.text(name);
            if (!text.isEmpty()) {
                params.set(name, value(name, text));
            }
        }
        fields.check();
        return params;
    }

    private static JsonNode value(String name, String text) {
        boolean number = name.equals("pageSize") || name.equals("historyLength");
        if (number && WHOLE.matcher(text).matches()) {
            return LongNode.valueOf(Long.parseLong(text));
        }
        boolean flag = name.equals("includeArtifacts") && (text.equals("true") || text.equals("false"));
        return flag ? BooleanNode.valueOf(text.equals("true")) : TextNode.valueOf(text);
    }
}
