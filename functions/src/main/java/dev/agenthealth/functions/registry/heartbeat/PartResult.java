package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;

/**
 * The result of one part of a request. Each part succeeds or fails independently.
 *
 * @param status the HTTP status of the part
 * @param document the response body of the part
 */
record PartResult(int status, ObjectNode document) {

    static PartResult refused(ApiError problem) {
        return new PartResult(problem.status(), ApiResponse.document(problem, ""));
    }

    /** Returns whether the outcomes of this heartbeat count. The outcomes of a replaced process count, because its executions happened. */
    boolean takesOutcomes() {
        return status == 200 || document.path("error").asText().equals(AgentError.SUPERSEDED);
    }

    /** Returns in how many seconds the part asks for the next heartbeat; 0 if it asks for none. */
    int nextInSeconds() {
        return document.path(Acknowledgement.NEXT_IN_SECONDS).asInt();
    }

    ObjectNode json() {
        ObjectNode json = Json.object();
        putInto(json);
        return json;
    }

    void putInto(ObjectNode json) {
        json.put("status_code", status);
        json.setAll(document);
    }
}
