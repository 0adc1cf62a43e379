package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;

/**
 * The result of one part of a request that succeeds or fails independently of the others.
 *
 * @param status the HTTP status that the part alone would have
 * @param document the body that it would have
 */
record PartResult(int status, ObjectNode document) {

    static PartResult refused(ApiError problem) {
        return new PartResult(problem.status(), ApiResponse.document(problem, ""));
    }

    /** Returns whether the outcomes of this heartbeat are counted. Those of a replaced process are: they happened. */
    boolean takesOutcomes() {
        return status == 200 || document.path("error").asText().equals(ApiError.SUPERSEDED);
    }

    /** Returns when the part asks for the next heartbeat, in seconds; 0 where it does not. */
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
