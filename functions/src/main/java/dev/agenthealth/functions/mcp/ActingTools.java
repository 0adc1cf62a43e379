package dev.agenthealth.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.json.Json;
import java.util.List;
import java.util.Map;

/** The tools that act on an agent. Thread-safe. */
final class ActingTools {

    static final String INVOKE = "POST /v1/agents/{agent_id}/invoke";
    static final String COMMANDS = "POST /api/v1/agents/{agent_id}/commands";

    private static final String MESSAGE = "message";
    private static final String IDEMPOTENCY_KEY = "idempotency_key";

    private final ApiCalls api;

    ActingTools(ApiCalls api) {
        this.api = api;
    }

    ObjectNode invoke(ToolCall call) {
        Fields arguments = call.arguments();
        arguments.require(MESSAGE);
        String message = arguments.text(MESSAGE);
        String key = arguments.text(IDEMPOTENCY_KEY);
        Map<String, String> headers = call.trace();
        if (arguments.mentions(IDEMPOTENCY_KEY)) {
            headers.put("idempotency-key", '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        }
        ObjectNode body = Json.object().put(MESSAGE, message);
        copy(arguments, body, "timeout_ms");
        return api.post(call.http(), INVOKE, call.agentId(), headers, body);
    }

    ObjectNode drain(ToolCall call) {
        ObjectNode body = Json.object().put("command", "drain");
        copy(call.arguments(), body, "reason", "drain_timeout_seconds");
        String agentId = call.agentId();
        ObjectNode queued = api.post(call.http(), COMMANDS, agentId, Map.of(), body);
        queued.remove(List.of("command", "requested_by"));
        return queued.put("agent_id", agentId);
    }

    /** The route checks them. */
    private static void copy(Fields arguments, ObjectNode body, String... fields) {
        for (String field : fields) {
            JsonNode value = arguments.any(field);
            if (!value.isMissingNode()) {
                body.set(field, value);
            }
        }
    }
}
