package dev.agenthealth.functions.gateway.a2a;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import java.util.OptionalInt;

/**
 * A question about a task, which is no execution of the agent. Immutable.
 *
 * @param cancels whether the request cancels the task
 * @param historyLength the number of messages of its history; empty leaves it to the agent
 * @param metadata the JSON text of the request's metadata; may be empty
 */
public record TaskQuery(String taskId, boolean cancels, OptionalInt historyLength, String metadata) {

    /** Returns a query that reads a task for the gateway itself. */
    public static TaskQuery toRead(String taskId) {
        return toRead(taskId, OptionalInt.of(0));
    }

    static TaskQuery toRead(String taskId, OptionalInt historyLength) {
        return new TaskQuery(taskId, false, historyLength, "");
    }

    /** Returns a query that cancels a task for the gateway itself. */
    public static TaskQuery toCancel(String taskId) {
        return toCancel(taskId, "");
    }

    static TaskQuery toCancel(String taskId, String metadata) {
        return new TaskQuery(taskId, true, OptionalInt.empty(), metadata);
    }

    ObjectNode params() {
        ObjectNode params = Json.object().put("id", taskId);
        historyLength.ifPresent(length -> params.put("historyLength", length));
        if (!metadata.isEmpty()) {
            params.set(A2aMessage.METADATA, Json.stored(metadata));
        }
        return params;
    }
}
