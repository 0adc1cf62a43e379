package dev.agenthealth.functions.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.time.Instant;

/**
 * The answer to a heartbeat (RFC-0016 §4.2).
 *
 * @param status the agent's status after the heartbeat
 * @param at when the heartbeat arrived
 */
record Acknowledgement(LifecycleStatus status, Instant at) {

    ObjectNode json() {
        ObjectNode json = Json.object();
        json.put("acknowledged", true);
        json.put("server_timestamp", at.toString());
        json.put("agent_status", status.word());
        json.putArray("pending_commands");
        return json;
    }
}
