package dev.agenthealth.functions.observation;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A request that was answered, as the log tells it. There is no place in it for a key, a body, a query or a path as it was sent.
 *
 * @param route method and path template
 * @param requestId the API's id of the request
 * @param status of the answer
 * @param error the code of the refusal; empty where there was none
 * @param agentId the agent in the path; empty where the route has none
 * @param callerId the id of the caller's key; empty where it was not looked up
 * @param latencyMillis time it took
 * @param use what DynamoDB reported of it
 * @param coldStart whether it is the first one of this instance of the function
 */
public record AnsweredRequest(
        String route,
        String requestId,
        int status,
        String error,
        String agentId,
        String callerId,
        long latencyMillis,
        StorageUse use,
        boolean coldStart) {

    /** Adds what is known to a line of the log. */
    ObjectNode describe(ObjectNode line) {
        line.put("route", route).put("request_id", requestId).put("status", status);
        putUnlessEmpty(line, "error", error);
        putUnlessEmpty(line, "agent_id", agentId);
        putUnlessEmpty(line, "caller", callerId);
        line.put("latency_ms", latencyMillis).put("read_units", use.readUnits()).put("write_units", use.writeUnits());
        if (use.throttles() > 0) {
            line.put("throttles", use.throttles());
        }
        return line.put("cold_start", coldStart);
    }

    private static void putUnlessEmpty(ObjectNode line, String name, String value) {
        if (!value.isEmpty()) {
            line.put(name, value);
        }
    }
}
