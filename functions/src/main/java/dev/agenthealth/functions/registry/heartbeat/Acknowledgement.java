package dev.agenthealth.functions.registry.heartbeat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lifecycle.Coordination;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.time.Instant;

/**
 * The response to a heartbeat (RFC-0016 §4.2).
 *
 * @param status the agent's status after the heartbeat
 * @param incarnation the agent's incarnation
 * @param coordination the pending drain command, if any, and the end of a block
 * @param at when the heartbeat arrived
 * @param nextInSeconds when to send the next heartbeat, in seconds from {@code at}; 0 if the agent is gone or sends no heartbeats at an
 *     interval
 */
record Acknowledgement(
        LifecycleStatus status, long incarnation, Coordination coordination, Instant at, int nextInSeconds) {

    static final String WARNINGS = "warnings";
    static final String NEXT_IN_SECONDS = "next_heartbeat_in_seconds";

    ObjectNode json() {
        ObjectNode json = Json.object();
        json.put("acknowledged", true);
        json.put("server_timestamp", Timestamps.text(at));
        json.put("agent_status", status.wireName());
        json.put("incarnation", incarnation);
        ArrayNode commands = json.putArray("pending_commands");
        PendingDrain pendingDrain = coordination.pendingDrain();
        if (pendingDrain.isPending()) {
            ObjectNode drain = commands.addObject();
            drain.put("command", pendingDrain.command());
            if (!pendingDrain.reason().isEmpty()) {
                drain.put("reason", pendingDrain.reason());
            }
            drain.put("drain_timeout_seconds", pendingDrain.timeout().toSeconds());
        }
        if (nextInSeconds > 0) {
            json.put(NEXT_IN_SECONDS, nextInSeconds);
        }
        if (coordination.blockedUntil().isAfter(at)) {
            json.putArray(WARNINGS)
                    .addObject()
                    .put("field", "blocked")
                    .put("message", "is true: the gateway does not call the agent; heartbeats and leases go on");
        }
        return json;
    }
}
