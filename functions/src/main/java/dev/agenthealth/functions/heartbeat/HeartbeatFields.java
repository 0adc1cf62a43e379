package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.Workload;
import java.time.Instant;
import java.util.List;

/**
 * Reads a heartbeat (RFC-0016 §4.3).
 *
 * <p>Unknown fields are ignored, unlike in other requests: an older registry must not mark newer agents as dead.
 */
final class HeartbeatFields {

    private static final int MAX_LOAD = 1_000_000;

    private HeartbeatFields() {}

    /**
     * The heartbeat in these fields.
     *
     * @throws dev.agenthealth.functions.http.Problem 400 naming every field that breaks a rule
     */
    static Heartbeat read(Fields body) {
        body.require("status");
        body.require("client_timestamp");
        String status = body.text("status", 64);
        if (!status.isEmpty() && !status.equals("active") && !status.equals("draining")) {
            body.refuse("status", "must be active or draining");
        }
        int load = body.integer("current_load", 0, MAX_LOAD).orElse(Workload.NOT_REPORTED);
        List<String> tasks = body.texts("tasks_in_progress", Heartbeat.MAX_TASKS, Heartbeat.MAX_TASK_ID_LENGTH);
        Instant clientTimestamp = body.timestamp("client_timestamp").orElse(Instant.EPOCH);
        body.check();
        return new Heartbeat(status.equals("draining"), load, body.has("tasks_in_progress"), tasks, clientTimestamp);
    }
}
