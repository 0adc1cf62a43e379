package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.a2a.A2aCall.Operation;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.util.HashMap;
import java.util.Map;

/**
 * A request to an agent in the form of JSON-RPC.
 *
 * @param version the version of A2A
 * @param id the JSON-RPC id, which the response repeats
 * @param params the parameters in that version
 */
public record A2aRequest(A2aVersion version, String id, Operation operation, ObjectNode params) implements A2aWire {

    /**
     * Returns a request that sends a message.
     *
     * @param id the id of the request, and of a message without an id; the same for every attempt
     */
    public static A2aRequest send(A2aVersion version, A2aMessage message, A2aOptions options, String id) {
        return new A2aRequest(version, id, Operation.SEND_MESSAGE, params(version, message, options, id));
    }

    /** Returns a request that sends a message and asks for a streamed answer. */
    public static A2aRequest stream(A2aVersion version, A2aMessage message, A2aOptions options, String id) {
        return new A2aRequest(version, id, Operation.STREAM_MESSAGE, params(version, message, options, id));
    }

    private static ObjectNode params(A2aVersion version, A2aMessage message, A2aOptions options, String id) {
        ObjectNode params = Json.object();
        params.set("message", message.json(version, id));
        options.putInto(params, version);
        return params;
    }

    /** Returns a request for a stream of the future changes of a task. */
    public static A2aRequest subscribe(A2aVersion version, String taskId, String id) {
        return new A2aRequest(version, id, Operation.SUBSCRIBE, Json.object().put("id", taskId));
    }

    /**
     * Returns a request that reads or cancels a task.
     *
     * @param id the id of the request
     */
    public static A2aRequest task(A2aVersion version, TaskQuery query, String id) {
        Operation operation = query.cancels() ? Operation.CANCEL_TASK : Operation.GET_TASK;
        return new A2aRequest(version, id, operation, query.params());
    }

    /**
     * Returns a request for a page of tasks.
     *
     * @param size the size of the page
     * @param pageToken the agent's page token; empty for the first page
     * @param id the id of the request
     */
    public static A2aRequest list(A2aVersion version, TaskListQuery query, int size, String pageToken, String id) {
        return new A2aRequest(version, id, Operation.LIST_TASKS, query.params(version, size, pageToken));
    }

    /**
     * Returns a request for the card that an agent shows to authenticated clients.
     *
     * @param id the id of the request
     */
    public static A2aRequest extendedCard(A2aVersion version, String id) {
        return new A2aRequest(version, id, Operation.GET_EXTENDED_CARD, Json.object());
    }

    /**
     * Returns a request that starts notifications about a task.
     *
     * @param id the id of the request
     */
    public static A2aRequest createPush(A2aVersion version, String taskId, PushConfig config, String id) {
        return new A2aRequest(version, id, Operation.CREATE_PUSH_CONFIG, config.ofTask(taskId, version));
    }

    /**
     * Returns a request that ends notifications about a task.
     *
     * @param configId the id of the configuration
     * @param id the id of the request
     */
    public static A2aRequest deletePush(A2aVersion version, String taskId, String configId, String id) {
        ObjectNode params = version == A2aVersion.V0_3
                ? Json.object().put("id", taskId).put("pushNotificationConfigId", configId)
                : Json.object().put("taskId", taskId).put("id", configId);
        return new A2aRequest(version, id, Operation.DELETE_PUSH_CONFIG, params);
    }

    /** Returns this request for a tenant of the endpoint; unchanged for no tenant. */
    A2aRequest of(String tenant) {
        return tenant.isEmpty()
                ? this
                : new A2aRequest(version, id, operation, params.deepCopy().put("tenant", tenant));
    }

    /** Returns the JSON text of the request. */
    public String body() {
        ObjectNode json = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", operation.method(version));
        json.set("params", params);
        return Json.text(json);
    }

    @Override
    public Endpoint endpoint(Endpoint base) {
        return base;
    }

    @Override
    public HttpQuestion question(Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(headers());
        return HttpQuestion.post(all, body());
    }

    /** Returns a failure unchanged. Agents of JSON-RPC report errors with a successful HTTP status. */
    @Override
    public CallFailedException failure(CallFailedException failed) {
        return failed;
    }

    /** Returns the HTTP headers that the version requires. Without the header, an agent assumes version 0.3. */
    public Map<String, String> headers() {
        return version == A2aVersion.V0_3 ? Map.of() : Map.of("A2A-Version", version.wireName());
    }

    /**
     * Returns the unchanged result in a response to this request.
     *
     * @throws CallFailedException if the response has no result, or the task of a sent message failed
     */
    @Override
    public JsonNode read(byte[] response) {
        JsonNode result = A2aAnswer.result(id, response);
        return switch (operation) {
            case SEND_MESSAGE -> A2aAnswer.ofMessage(version, result);
            // The result is empty: nothing in one version, an empty object in the other.
            case DELETE_PUSH_CONFIG -> result;
            default -> A2aAnswer.object(result);
        };
    }
}
