package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.InvocationRequest;
import dev.agenthealth.functions.gateway.SyncInvocations;
import dev.agenthealth.functions.registry.Commands;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import java.util.Optional;

/** The tools that act on an agent. Thread-safe. */
final class ActingTools {

    private static final String MESSAGE = "message";
    private static final String IDEMPOTENCY_KEY = "idempotency_key";

    private final SyncInvocations invocations;
    private final Commands commands;

    ActingTools(SyncInvocations invocations, Commands commands) {
        this.invocations = invocations;
        this.commands = commands;
    }

    ObjectNode invoke(ToolCall call) {
        String agentId = call.agentId();
        return invocations.invoke(InvocationRequest.synchronous(
                call.caller(), agentId, call.arguments(), idempotencyKey(call.arguments()), call.trace()));
    }

    /** Returns the request of a call that becomes a task. */
    static InvocationRequest asTask(ToolCall call) {
        String agentId = call.agentId();
        return InvocationRequest.asTask(
                call.caller(), agentId, call.arguments(), idempotencyKey(call.arguments()), call.trace());
    }

    /** Returns the idempotency key in the form of its header, and checks the message. */
    private static Optional<String> idempotencyKey(Fields arguments) {
        // The route also accepts an A2A message, but the tool's argument is a text.
        arguments.require(MESSAGE);
        arguments.text(MESSAGE);
        String key = arguments.text(IDEMPOTENCY_KEY);
        return arguments.mentions(IDEMPOTENCY_KEY)
                ? Optional.of('"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                : Optional.empty();
    }

    ObjectNode drain(ToolCall call) {
        String agentId = call.agentId();
        PendingDrain drain = commands.drain(call.request().http().author(), agentId, call.arguments());
        return Json.object()
                .put("agent_id", agentId)
                .put("reason", drain.reason().isEmpty() ? null : drain.reason())
                .put("drain_timeout_seconds", drain.timeout().toSeconds())
                .put("status", "pending");
    }
}
