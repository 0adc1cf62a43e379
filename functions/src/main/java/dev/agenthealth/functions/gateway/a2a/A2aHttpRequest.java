package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.a2a.A2aCall.Operation;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A request to an agent that speaks HTTP+JSON (A2A 1.0 §11; 0.3 §3.2.3).
 *
 * @param request the same request for an agent of JSON-RPC
 * @param tenant the tenant of the endpoint, which the path names; empty for none
 */
record A2aHttpRequest(A2aRequest request, String tenant) implements A2aWire {

    private static final String ERROR = "error";
    private static final String MESSAGE = "message";
    private static final String DETAILS = "details";
    private static final String STATUS = "status";
    /** The first HTTP status of an error. */
    private static final int MIN_ERROR = 400;

    private static final String PUSHES = "/pushNotificationConfigs";

    private boolean older() {
        return request.version() == A2aVersion.V0_3;
    }

    @Override
    public Endpoint endpoint(Endpoint base) {
        if (older() && request.operation() == Operation.LIST_TASKS) {
            throw noLists();
        }
        String start = older() ? "/v1" : tenant.isEmpty() ? "" : "/" + tenant;
        return base.below(start + path(), query());
    }

    private static CallFailedException noLists() {
        return A2aAnswer.failure(
                A2aError.METHOD_NOT_FOUND, "The agent has no lists of tasks.", MissingNode.getInstance());
    }

    private String path() {
        return switch (request.operation()) {
            case SEND_MESSAGE -> "/message:send";
            case STREAM_MESSAGE -> "/message:stream";
            case GET_TASK -> task("id");
            case CANCEL_TASK -> task("id") + ":cancel";
            case SUBSCRIBE -> task("id") + ":subscribe";
            case LIST_TASKS -> "/tasks";
            case GET_EXTENDED_CARD -> older() ? "/card" : "/extendedAgentCard";
            case CREATE_PUSH_CONFIG, LIST_PUSH_CONFIGS -> task("taskId") + PUSHES;
            case GET_PUSH_CONFIG, DELETE_PUSH_CONFIG ->
                older()
                        ? task("id") + PUSHES + segment("pushNotificationConfigId")
                        : task("taskId") + PUSHES + segment("id");
        };
    }

    private String task(String name) {
        return "/tasks" + segment(name);
    }

    /**
     * Returns a parameter as one segment of the path. A segment of dots is refused, as servers that decode before they normalise the path would
     * leave the task.
     */
    private String segment(String name) {
        String id = request.params().path(name).asText();
        if (Arrays.stream(id.split("[/\\\\]", -1)).anyMatch(part -> part.equals(".") || part.equals(".."))) {
            throw A2aError.of(
                    A2aError.TASK_NOT_FOUND, "HTTP+JSON has no path for the task with this id.", "task_not_found");
        }
        return "/" + escaped(id);
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String query() {
        List<String> names =
                switch (request.operation()) {
                    case GET_TASK -> List.of("historyLength");
                    case LIST_TASKS ->
                        List.of(
                                "contextId",
                                STATUS,
                                "statusTimestampAfter",
                                "pageToken",
                                "pageSize",
                                "historyLength",
                                "includeArtifacts");
                    default -> List.of();
                };
        return names.stream()
                .filter(request.params()::has)
                .map(name -> name + "=" + escaped(request.params().path(name).asText()))
                .collect(Collectors.joining("&"));
    }

    @Override
    public HttpQuestion question(Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(request.headers());
        String method =
                switch (request.operation()) {
                    case SEND_MESSAGE, STREAM_MESSAGE, CANCEL_TASK, CREATE_PUSH_CONFIG -> "POST";
                    case SUBSCRIBE -> older() ? "GET" : "POST";
                    case DELETE_PUSH_CONFIG -> "DELETE";
                    default -> "GET";
                };
        all.putIfAbsent("Accept", "application/json, application/a2a+json");
        if (!method.equals("POST")) {
            return new HttpQuestion(method, all, Optional.empty(), event -> true);
        }
        return HttpQuestion.post(all, Json.text(body()));
    }

    private ObjectNode body() {
        ObjectNode params = request.params();
        return switch (request.operation()) {
            case SEND_MESSAGE, STREAM_MESSAGE -> older() ? OlderHttp.message(params) : params;
            case CREATE_PUSH_CONFIG -> older() ? OlderHttp.push(params) : params;
            default -> params.deepCopy().without("id");
        };
    }

    @Override
    public JsonNode read(byte[] response) {
        if (request.operation() == Operation.DELETE_PUSH_CONFIG) {
            return NullNode.getInstance();
        }
        JsonNode json = A2aAnswer.json(response);
        if (!json.isObject() || json.has("jsonrpc")) {
            throw new CallFailedException(InvocationFailure.MALFORMED);
        }
        return switch (request.operation()) {
            case SEND_MESSAGE -> A2aAnswer.ofMessage(A2aVersion.V1_0, older() ? OlderHttp.result(json) : json);
            case STREAM_MESSAGE, SUBSCRIBE -> part(json);
            case GET_TASK, CANCEL_TASK -> task(json);
            default -> json;
        };
    }

    /** Returns a part of a stream. An event may be an error, and its name is not read. */
    private JsonNode part(JsonNode json) {
        if (json.path(ERROR).isObject() || json.path("code").isIntegralNumber()) {
            JsonNode error = error(json);
            int code = code(error, 0).orElse(A2aError.INTERNAL_ERROR);
            throw A2aAnswer.failure(code, text(error), error.path(DETAILS));
        }
        return older() ? OlderHttp.result(json) : json;
    }

    private JsonNode task(JsonNode json) {
        if (!json.path("id").isTextual() || !json.path(STATUS).isObject()) {
            throw new CallFailedException(InvocationFailure.MALFORMED);
        }
        return older() ? OlderHttp.task(json) : json;
    }

    @Override
    public CallFailedException failure(CallFailedException failed) {
        Optional<CallFailedException.Refusal> refusal = failed.refusal().filter(given -> given.status() >= MIN_ERROR);
        return refusal.filter(given -> !given.text().isEmpty())
                .flatMap(this::error)
                .or(() -> refusal.filter(this::refusesLists)
                        .map(given -> new CallFailedException(
                                failed.reason(), noLists().returned())))
                .orElse(failed);
    }

    /**
     * Returns whether an agent refuses to list tasks. The path of the list exists unless the agent has none, or speaks another binding; the status
     * still shows that.
     */
    private boolean refusesLists(CallFailedException.Refusal refusal) {
        return request.operation() == Operation.LIST_TASKS
                && Set.of(404, 405, 501).contains(refusal.status());
    }

    private Optional<CallFailedException> error(CallFailedException.Refusal refusal) {
        JsonNode error;
        try {
            error = error(A2aAnswer.json(refusal.text().getBytes(StandardCharsets.UTF_8)));
        } catch (CallFailedException e) {
            return Optional.empty();
        }
        OptionalInt code = code(error, refusal.status());
        return code.isEmpty()
                ? Optional.empty()
                : Optional.of(A2aAnswer.failure(code.getAsInt(), text(error), error.path(DETAILS)));
    }

    /** Returns the error in a response. Version 1.0 has it in a field. In 0.3 and in a problem document, it is the whole body. */
    private static JsonNode error(JsonNode json) {
        return json.path(ERROR).isObject() ? json.path(ERROR) : json;
    }

    private static String text(JsonNode error) {
        return error.path(MESSAGE)
                .asText(error.path("detail").asText(error.path("title").asText()));
    }

    /**
     * Returns the JSON-RPC code of an error; empty if it is no A2A error. The code follows from the reason in the details, from the type of a
     * problem document, or from the form that SDKs of 0.3 send.
     */
    private OptionalInt code(JsonNode error, int status) {
        for (JsonNode detail : error.path(DETAILS)) {
            OptionalInt code = A2aError.code(detail.path("reason").asText());
            if (code.isPresent()) {
                return code;
            }
        }
        String type = error.path("type").asText();
        OptionalInt ofType = A2aError.code(type.substring(type.lastIndexOf('/') + 1)
                .toUpperCase(Locale.ROOT)
                .replace('-', '_'));
        if (ofType.isPresent()) {
            return ofType;
        }
        JsonNode own = error.path("code");
        if (own.isIntegralNumber() && own.bigIntegerValue().signum() < 0) {
            return OptionalInt.of(A2aAnswer.code(own.bigIntegerValue()));
        }
        return older() && error.path(MESSAGE).isTextual() ? codeOfStatus(status) : OptionalInt.empty();
    }

    /** Returns the code for an HTTP status. The SDK of 0.3 for Python distinguishes errors by the status alone. */
    private OptionalInt codeOfStatus(int status) {
        boolean ofTask = request.params().has("id")
                || request.params().has("taskId")
                || request.params().at("/message/taskId").isTextual();
        return switch (status) {
            case 404 -> ofTask ? OptionalInt.of(A2aError.TASK_NOT_FOUND) : OptionalInt.empty();
            case 409 -> OptionalInt.of(A2aError.TASK_NOT_CANCELABLE);
            case 422 -> OptionalInt.of(A2aError.INVALID_PARAMS);
            case 501 -> OptionalInt.of(A2aError.UNSUPPORTED_OPERATION);
            default -> OptionalInt.empty();
        };
    }
}
