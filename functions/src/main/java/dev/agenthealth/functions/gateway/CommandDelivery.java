package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.WebhookSignature;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.registry.lifecycle.PendingDrain;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Posts pending commands to the endpoints of agents that accept them (RFC-0016 §1.1), once and without guarantee. Messages are signed by Standard
 * Webhooks with the agent's credential, which registry and endpoint share. Without a credential, nothing is sent. Thread-safe.
 */
final class CommandDelivery {

    /** The type of every message. Its {@code data} names the command. */
    static final String TYPE = "agent_health.command";

    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final AgentStore agents;
    private final AgentCredentials credentials;
    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final Log log;
    private final Clock clock;
    private final Duration timeout;

    CommandDelivery(
            AgentStore agents,
            AgentCredentials credentials,
            AddressCheck addresses,
            PinnedHttpClient http,
            Log log,
            Clock clock,
            Duration timeout) {
        this.agents = agents;
        this.credentials = credentials;
        this.addresses = addresses;
        this.http = http;
        this.log = log;
        this.clock = clock;
        this.timeout = timeout;
    }

    /**
     * Posts the command that is pending for an agent, if any. A failure is logged and not retried.
     *
     * @param messageId the id of the queue's message, the same for duplicates
     */
    void deliver(String agentId, String messageId) {
        try {
            agents.find(agentId)
                    .filter(CommandDelivery::isToReceive)
                    .flatMap(agent -> fault(agent, messageId))
                    .ifPresent(reason -> undelivered(agentId, reason));
        } catch (CallFailedException e) {
            undelivered(agentId, e.reason().wireName());
        } catch (RuntimeException e) {
            log.failure("command_not_delivered", agentId, e);
        }
    }

    private static boolean isToReceive(StoredAgent agent) {
        return agent.profile().agentInterface().acceptsPush()
                && agent.pulse().coordination().pendingDrain().isPending();
    }

    /** Posts the command. Returns the reason if the agent did not accept it; empty if it did. */
    private Optional<String> fault(StoredAgent agent, String messageId) {
        AgentProfile profile = agent.profile();
        Optional<String> token = credentials.token(profile);
        if (token.isEmpty()) {
            return Optional.of("no_credential");
        }
        Endpoint endpoint = Endpoint.of(profile.agentInterface().endpoint())
                .orElseThrow(() -> new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED));
        Instant now = clock.instant();
        byte[] body = body(profile.agentId(), agent.pulse().coordination().pendingDrain(), now);
        Map<String, String> headers = new HashMap<>(
                WebhookSignature.headers(messageId, now, body, List.of(WebhookSignature.secretOf(token.get()))));
        headers.putAll(AgentCredentials.headers(token));
        int status = http.deliver(addresses.destination(endpoint, timeout), headers, body, timeout)
                .code();
        return status >= 200 && status <= 299 ? Optional.empty() : Optional.of("status_" + status);
    }

    private static byte[] body(String agentId, PendingDrain command, Instant now) {
        ObjectNode json = Json.object().put("type", TYPE).put("timestamp", Timestamps.text(now));
        json.putObject("data")
                .put("agent_id", agentId)
                .put("command", command.command())
                .put("reason", command.reason().isEmpty() ? null : command.reason())
                .put("drain_timeout_seconds", command.timeout().toSeconds())
                .put("requested_by", command.requestedBy());
        return Json.text(json).getBytes(StandardCharsets.UTF_8);
    }

    private void undelivered(String agentId, String reason) {
        log.warn("command_not_delivered", Map.of("agent_id", agentId, "reason", reason));
    }
}
