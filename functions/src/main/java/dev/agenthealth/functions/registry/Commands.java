package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.functions.storage.dynamo.Turns;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.lifecycle.Drain;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.LifecycleTransitions;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Commands to an agent. Thread-safe.
 *
 * <p>Answers to heartbeats carry a command until the agent follows it (RFC-0016 §5.3). The registry also posts it once to the agent's
 * endpoint, if the agent accepts that (§1.1). A later command replaces an earlier one.
 */
public final class Commands {

    private static final String DRAIN = "drain";
    private static final String RESTART = "restart";

    private final Database database;
    private final CommandQueue queue;
    private final AgentAccess access;

    public Commands(Database database, CommandQueue queue) {
        this.database = database;
        this.queue = queue;
        this.access = new AgentAccess(new AgentStore(database));
    }

    /**
     * {@code POST /api/v1/agents/{agent_id}/commands}: queues a command. Returns 202 with the command as the agent receives it.
     *
     * @throws ApiError 400 for an invalid body; 403 for a restart by the agent itself; and as {@link #drain}
     */
    ApiResponse queue(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Fields body = request.fields();
        body.require("command");
        String command = body.text("command", 64);
        boolean restarts = command.equals(RESTART);
        if (!command.isEmpty() && !command.equals(DRAIN) && !restarts) {
            body.refuse("command", "must be drain or restart");
        }
        if (restarts && !request.caller().mayListAgents()) {
            throw ApiError.forbidden("Coordinators and administrators ask an agent to restart. Its own key may declare"
                    + " restart_when_stalled or restart_when_looping.");
        }
        return ApiResponse.json(202, json(queued(request.author(), agentId, body, restarts)));
    }

    /**
     * Commands an agent to drain. The body may have {@code reason} and {@code drain_timeout_seconds}. Refuses unknown fields of the body.
     *
     * @return the command as the agent receives it
     * @throws ApiError 400 naming every bad field; 403 if a stop asks for a drain; 409 if the agent is draining, dead or deregistered
     */
    public PendingDrain drain(Author author, String agentId, Fields body) {
        return queued(author, agentId, body, false);
    }

    private PendingDrain queued(Author author, String agentId, Fields body, boolean restarts) {
        String reason = body.text("reason", PendingDrain.MAX_REASON);
        int seconds = body.integer("drain_timeout_seconds", Drain.MIN_TIMEOUT_SECONDS, Drain.MAX_TIMEOUT_SECONDS)
                .orElse(0);
        body.refuseUnknown();
        body.check();
        return Turns.of(database)
                .in(
                        agentId,
                        () -> OptimisticUpdates.untilPresent(() -> {
                            StoredAgent agent = access.findToCoordinate(author.caller(), agentId);
                            Pulse pulse = agent.pulse();
                            requireUndrained(pulse, "An agent that is %s cannot be asked to become draining.");
                            requireNoStop(pulse);
                            Duration timeout =
                                    seconds == 0 ? pulse.coordination().drainTimeout() : Duration.ofSeconds(seconds);
                            PendingDrain drain = new PendingDrain(reason, timeout, author.id(), restarts);
                            if (!recording(author, "agent.command_queued", pulse, drain)
                                    .putPendingDrain(pulse, drain)) {
                                return Optional.empty();
                            }
                            queue.push(agent.profile());
                            return Optional.of(drain);
                        }));
    }

    /** {@code GET /api/v1/agents/{agent_id}/commands}: the commands that the agent has not followed yet. */
    ApiResponse list(ApiRequest request) {
        Pulse pulse = access.find(request.caller(), request.pathId("agent_id")).pulse();
        PendingDrain drain = pulse.coordination().pendingDrain();
        ObjectNode json = Json.object();
        ArrayNode commands = json.putArray("commands");
        if (drain.isPending()) {
            commands.add(json(drain));
        }
        return ApiResponse.json(200, json);
    }

    /**
     * {@code DELETE /api/v1/agents/{agent_id}/commands/drain}: withdraws a drain or restart. Does nothing if no command is pending.
     *
     * @throws ApiError 403 if a stop asks for the drain; 409 if the drain began, or the agent is dead or deregistered
     */
    ApiResponse withdrawDrain(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        OptimisticUpdates.untilDone(() -> {
            Pulse pulse = access.findToCoordinate(request.caller(), agentId).pulse();
            requireUndrained(pulse, "The drain of an agent that is %s cannot be withdrawn.");
            requireNoStop(pulse);
            return !pulse.coordination().pendingDrain().isPending()
                    || recording(request.author(), "agent.command_withdrawn", pulse, PendingDrain.NONE)
                            .putPendingDrain(pulse, PendingDrain.NONE);
        });
        return ApiResponse.noContent();
    }

    private AgentStore recording(Author author, String action, Pulse pulse, PendingDrain after) {
        AuditEntry entry = AuditEntry.of(
                author,
                action,
                AuditObject.agent(pulse.agentId()),
                audited(pulse.coordination().pendingDrain()),
                audited(after));
        return AuditStore.recording(database, entry, AgentStore::new);
    }

    /** Returns a command for the audit log, without its reason, which is free text. */
    private static ObjectNode audited(PendingDrain drain) {
        return drain.isPending() ? json(drain).<ObjectNode>without(List.of("reason", "status")) : Json.object();
    }

    /**
     * Refuses a request for an agent that is draining, dead or deregistered.
     *
     * @param detail a format with a place for the status
     */
    private static void requireUndrained(Pulse pulse, String detail) {
        if (!LifecycleTransitions.allows(pulse.status(), LifecycleStatus.DRAINING)) {
            throw ApiError.conflict(
                    "transition_not_allowed", detail.formatted(pulse.status().wireName()));
        }
    }

    /** Refuses a change of the drain that a stop asks for. */
    private static void requireNoStop(Pulse pulse) {
        if (pulse.coordination().pendingDrain().isOfStop()) {
            throw AgentError.stopped("A stop asks agent '" + pulse.agentId()
                    + "' to drain. Only the end of the stop changes this command.");
        }
    }

    private static ObjectNode json(PendingDrain drain) {
        ObjectNode json = Json.object();
        json.put("command", drain.command());
        json.put("reason", drain.reason().isEmpty() ? null : drain.reason());
        json.put("drain_timeout_seconds", drain.timeout().toSeconds());
        json.put("status", "pending");
        json.put("requested_by", drain.requestedBy());
        return json;
    }
}
