package dev.agenthealth.functions.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.profile.A2aVersion;
import java.util.Map;

/**
 * A JSON-RPC request to an agent.
 *
 * @param version the version of A2A in which it is written
 * @param id the JSON-RPC id, which the response repeats
 * @param sends whether it sends a message whose answer is read as a whole
 * @param body JSON
 */
public record A2aRequest(A2aVersion version, String id, boolean sends, String body) {

    /**
     * A request that sends a message: {@code message/send} of A2A 0.3, {@code SendMessage} of A2A 1.0.
     *
     * @param id the id of the request, and of a message without one; the same for every attempt
     */
    public static A2aRequest send(A2aVersion version, A2aMessage message, A2aOptions options, String id) {
        String method = version == A2aVersion.V0_3 ? "message/send" : "SendMessage";
        return of(version, method, params(version, message, options, id), id, true);
    }

    /** A request that sends a message and has its answer in parts: {@code message/stream}, {@code SendStreamingMessage}. */
    public static A2aRequest stream(A2aVersion version, A2aMessage message, A2aOptions options, String id) {
        String method = version == A2aVersion.V0_3 ? "message/stream" : "SendStreamingMessage";
        return of(version, method, params(version, message, options, id), id, false);
    }

    private static ObjectNode params(A2aVersion version, A2aMessage message, A2aOptions options, String id) {
        ObjectNode params = Json.object();
        params.set("message", message.json(version, id));
        options.putInto(params, version);
        return params;
    }

    /** A request for what happens to a task from now on: {@code tasks/resubscribe}, {@code SubscribeToTask}. */
    public static A2aRequest subscribe(A2aVersion version, String taskId, String id) {
        String method = version == A2aVersion.V0_3 ? "tasks/resubscribe" : "SubscribeToTask";
        return of(version, method, Json.object().put("id", taskId), id, false);
    }

    /**
     * A request for a task or to cancel it: {@code tasks/get} and {@code tasks/cancel} of A2A 0.3, {@code GetTask} and {@code CancelTask} of 1.0.
     *
     * @param id the id of the request
     */
    public static A2aRequest task(A2aVersion version, TaskQuery query, String id) {
        return of(version, query.method(version), query.params(), id, false);
    }

    /**
     * A request for a page of tasks: {@code tasks/list}, {@code ListTasks}.
     *
     * @param size of the page
     * @param pageToken of the agent; empty for its first page
     * @param id the id of the request
     */
    public static A2aRequest list(A2aVersion version, TaskListQuery query, int size, String pageToken, String id) {
        String method = version == A2aVersion.V0_3 ? "tasks/list" : "ListTasks";
        return of(version, method, query.params(version, size, pageToken), id, false);
    }

    /**
     * A request for the card that an agent shows to authenticated clients: {@code agent/getAuthenticatedExtendedCard} of A2A 0.3,
     * {@code GetExtendedAgentCard} of A2A 1.0.
     *
     * @param id the id of the request
     */
    public static A2aRequest extendedCard(A2aVersion version, String id) {
        String method = version == A2aVersion.V0_3 ? "agent/getAuthenticatedExtendedCard" : "GetExtendedAgentCard";
        return of(version, method, Json.object(), id, false);
    }

    private static A2aRequest of(A2aVersion version, String method, ObjectNode params, String id, boolean sends) {
        ObjectNode json = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
        json.set("params", params);
        return new A2aRequest(version, id, sends, Json.text(json));
    }

    /** The HTTP headers that the version requires. Without the header an agent assumes version 0.3. */
    public Map<String, String> headers() {
        return version == A2aVersion.V0_3 ? Map.of() : Map.of("A2A-Version", version.wireName());
    }

    /**
     * The task, message or card of the response to it, unchanged.
     *
     * @throws dev.agenthealth.functions.outbound.CallFailedException if the response has none, or a task of a sent message failed
     */
    public JsonNode read(byte[] response) {
        JsonNode result = A2aAnswer.result(id, response);
        return sends ? A2aAnswer.ofMessage(version, result) : A2aAnswer.object(result);
    }
}
