package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The agents of a registry. Every method throws {@link AgentHealthException} if its request fails. Thread-safe. */
public final class Agents {

    private static final String AGENTS = "/api/v1/agents";

    private final Api api;
    private final Clock clock;

    Agents(Api api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * Registers an agent without sending heartbeats; {@link AgentHealthClient#agent} does both. Without {@link Registration#replace} the
     * request is not retried after a lost answer, since the agent may be registered.
     *
     * @throws ConflictException {@code agent_exists} if the id is in use and must not be replaced
     */
    public AgentRecord register(Registration registration) {
        Call call = Call.post(AGENTS).body(registration.json());
        boolean repeatable = registration.json().path("replace").asBoolean();
        return new AgentRecord(api.send(repeatable ? call : call.notAfterSilence()));
    }

    /** Returns a query for agents by role, capability, verdict and more. */
    public AgentQuery find() {
        return new AgentQuery(api);
    }

    /** Returns the record of an agent. */
    public AgentRecord get(String agentId) {
        return new AgentRecord(api.send(agent(Call.get(AGENTS), agentId)));
    }

    /**
     * Sends a heartbeat.
     *
     * @throws AgentGoneException if the agent is dead or deregistered and has to register again
     * @throws SupersededException if another process registered the agent
     */
    public HeartbeatAnswer heartbeat(String agentId, Heartbeat heartbeat) {
        ObjectNode body = heartbeat.at(clock.instant()).json();
        return new HeartbeatAnswer(
                api.send(agent(Call.post(AGENTS), agentId).path("/heartbeat").body(body)));
    }

    /**
     * Changes fields of the profile, such as the model.
     *
     * @param changes the fields to change; null clears a field
     * @param version the version to change
     * @throws PreconditionFailedException if the agent has another version
     */
    public AgentRecord update(String agentId, Map<String, ?> changes, long version) {
        Call call = agent(Call.patch(AGENTS), agentId).header("If-Match", "\"" + version + "\"");
        return new AgentRecord(api.send(call.notAfterSilence().body((ObjectNode) Json.of(changes))));
    }

    /** Starts the drain of an agent, or moves the deadline of its drain. {@code timeout} counts from now (RFC-0016 §5.1). */
    public AgentRecord drain(String agentId, Duration timeout) {
        ObjectNode body = Json.object().put("status", "draining").put("drain_timeout_seconds", timeout.toSeconds());
        Call call = agent(Call.patch(AGENTS), agentId).path("/status").header("If-Match", "*");
        return new AgentRecord(api.send(call.body(body)));
    }

    /**
     * Requests an agent to drain. The answers to its heartbeats carry the command until the agent follows.
     *
     * @param reason for people
     * @param timeout the maximum time of the drain; zero for the time of the agent's role
     */
    public void requestDrain(String agentId, String reason, Duration timeout) {
        request("drain", agentId, reason, timeout);
    }

    /**
     * Requests an agent to drain and to end its process with status 75, so that its supervisor starts it again. The answers to its
     * heartbeats carry the command until the agent follows. For coordinators and administrators.
     *
     * @param reason for people
     * @param timeout the maximum time of the drain; zero for the time of the agent's role
     */
    public void requestRestart(String agentId, String reason, Duration timeout) {
        request("restart", agentId, reason, timeout);
    }

    private void request(String command, String agentId, String reason, Duration timeout) {
        ObjectNode body = Json.object().put("command", command);
        if (!reason.isEmpty()) {
            body.put("reason", reason);
        }
        if (!timeout.isZero()) {
            body.put("drain_timeout_seconds", timeout.toSeconds());
        }
        api.send(agent(Call.post(AGENTS), agentId).path("/commands").body(body));
    }

    /**
     * Withdraws the request to drain or to restart.
     *
     * @throws ConflictException if the drain has begun
     */
    public void withdrawDrain(String agentId) {
        api.send(agent(Call.delete(AGENTS), agentId).path("/commands/drain"));
    }

    /**
     * Issues the ping address of an agent, and revokes the previous address. A request to the address, without a key, is a heartbeat and
     * the outcome of a run. The owner of the agent and administrators have an address each. An address ends with the key that issued it.
     * Only the owner's address registers a dead agent again.
     *
     * @return the address, which is shown only once
     */
    public String issuePingUrl(String agentId) {
        Call call = agent(Call.post(AGENTS), agentId).path("/ping-url");
        return Json.text(api.send(call), "ping_url");
    }

    /** Returns the last ping of an agent, with {@code last_ping_at} and {@code last_message}; empty if it has no ping address. */
    public Optional<JsonNode> pingAddress(String agentId) {
        try {
            return Optional.of(api.send(agent(Call.get(AGENTS), agentId).path("/ping-url")));
        } catch (NotFoundException e) {
            if (e.code().equals("ping_url_not_found")) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Revokes the ping addresses of an agent, both the owner's and the administrators'. Does nothing if it has none. */
    public void revokePingUrl(String agentId) {
        api.send(agent(Call.delete(AGENTS), agentId).path("/ping-url"));
    }

    /** Deregisters an agent at once, without a drain; does nothing if it is deregistered. */
    public void deregister(String agentId) {
        api.send(agent(Call.delete(AGENTS), agentId));
    }

    /**
     * Deregisters an agent at once, unless another process registered it since.
     *
     * @throws SupersededException if another process registered it
     */
    public void deregister(String agentId, long incarnation) {
        api.send(agent(Call.delete(AGENTS), agentId).query("incarnation", incarnation));
    }

    /** Returns the events of an agent, oldest first. Each event has a {@code type} and a {@code timestamp}. */
    public Stream<JsonNode> events(String agentId) {
        return Pages.stream(api, () -> agent(Call.get(AGENTS), agentId).path("/events"), "events", event -> event);
    }

    private static Call agent(Call call, String agentId) {
        return call.segment(agentId);
    }
}
