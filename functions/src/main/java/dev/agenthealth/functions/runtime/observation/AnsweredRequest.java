package dev.agenthealth.functions.runtime.observation;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The log fields of an answered request. The record has no field for a key, a body, a query or a raw path.
 *
 * @param route method and path template
 * @param requestId the API's id of the request
 * @param status the HTTP status of the response
 * @param error the error code; empty without an error
 * @param agentId the agent in the path; empty if the route has none
 * @param callerId the id of the caller's key; empty if the key was not looked up
 * @param latencyMillis the duration of the request
 * @param use the capacity that the request consumed
 * @param coldStart whether it is the first request of this function instance
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

    /** Adds the known fields to a log line. */
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
