package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The agents of a registry. Every method throws {@link AgentHealthException} when its request fails. Thread-safe. */
public final class Agents {

    private static final String AGENTS = "/api/v1/agents";

    private final Api api;
    private final Clock clock;

    Agents(Api api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * Registers an agent, and sends no heartbeats: {@link AgentHealthClient#agent} does both. Without {@link Registration#replace} the
     * request is not repeated when its answer is lost, since the agent may be registered.
     *
     * @throws ConflictException {@code agent_exists} where the id is in use and is not to be replaced
     */
    public AgentRecord register(Registration registration) {
        Call call = Call.post(AGENTS).body(registration.json());
        boolean repeatable = registration.json().path("replace").asBoolean();
        return new AgentRecord(api.send(repeatable ? call : call.notAfterSilence()));
    }

    /** Finds agents by role, capability, verdict and more. */
    public AgentQuery find() {
        return new AgentQuery(api);
    }

    /** The record of an agent. */
    public AgentRecord get(String agentId) {
        return new AgentRecord(api.send(agent(Call.get(AGENTS), agentId)));
    }

    /**
     * Sends one heartbeat.
     *
     * @throws AgentGoneException where the agent is dead or deregistered and has to register again
     * @throws SupersededException where another process registered the agent
     */
    public HeartbeatAnswer heartbeat(String agentId, Heartbeat heartbeat) {
        ObjectNode body = heartbeat.at(clock.instant()).json();
        return new HeartbeatAnswer(
                api.send(agent(Call.post(AGENTS), agentId).path("/heartbeat").body(body)));
    }

    /**
     * Changes fields of the profile, such as the model.
     *
     * @param changes the fields to change; null clears one
     * @param version the version that is to be changed
     * @throws PreconditionFailedException where the agent has another version
     */
    public AgentRecord update(String agentId, Map<String, ?> changes, long version) {
        Call call = agent(Call.patch(AGENTS), agentId).header("If-Match", "\"" + version + "\"");
        return new AgentRecord(api.send(call.notAfterSilence().body((ObjectNode) Json.of(changes))));
    }

    /** Starts the drain of an agent, or moves the deadline of its drain: {@code timeout} counts from now (RFC-0016 §5.1). */
    public AgentRecord drain(String agentId, Duration timeout) {
        ObjectNode body = Json.object().put("status", "draining").put("drain_timeout_seconds", timeout.toSeconds());
        Call call = agent(Call.patch(AGENTS), agentId).path("/status").header("If-Match", "*");
        return new AgentRecord(api.send(call.body(body)));
    }

    /**
     * Asks an agent to drain: the answers to its heartbeats carry the command until it follows.
     *
     * @param reason for people
     * @param timeout how long the drain may take; zero for the time of the agent's role
     */
    public void requestDrain(String agentId, String reason, Duration timeout) {
        request("drain", agentId, reason, timeout);
    }

    /**
     * Asks an agent to drain and to end its process with status 75, so that its supervisor starts it anew: the answers to its heartbeats carry the
     * command until it follows. For coordinators and administrators.
     *
     * @param reason for people
     * @param timeout how long the drain may take; zero for the time of the agent's role
     */
    public void requestRestart(String agentId, String reason, Duration timeout) {
        request("restart", agentId, reason, timeout);
    }

    private void request(String command, String agentId, String reason, Duration timeout) {
        ObjectNode body = Json.object().put("command", command).put("reason", reason);
        if (!timeout.isZero()) {
            body.put("drain_timeout_seconds", timeout.toSeconds());
        }
        api.send(agent(Call.post(AGENTS), agentId).path("/commands").body(body));
    }

    /**
     * Withdraws the request to drain or to restart.
     *
     * @throws ConflictException where the drain has begun
     */
    public void withdrawDrain(String agentId) {
        api.send(agent(Call.delete(AGENTS), agentId).path("/commands/drain"));
    }

    /**
     * Issues the ping address of an agent, and revokes the one before: a request there, without a key, is a heartbeat and the outcome of a run. The
     * owner of the agent and administrators have an address each, which ends with the key that issued it. Only the owner's registers a dead agent
     * again.
     *
     * @return the address, which is shown this once
     */
    public String issuePingUrl(String agentId) {
        Call call = agent(Call.post(AGENTS), agentId).path("/ping-url");
        return Json.text(api.send(call), "ping_url");
    }

    /** Returns the last ping of an agent, with {@code last_ping_at} and {@code last_message}; empty where it has no ping address. */
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

    /** Revokes the ping addresses of an agent, the owner's and the administrators'; does nothing where it has none. */
    public void revokePingUrl(String agentId) {
        api.send(agent(Call.delete(AGENTS), agentId).path("/ping-url"));
    }

    /** Deregisters an agent at once, without a drain; does nothing where it is deregistered. */
    public void deregister(String agentId) {
        api.send(agent(Call.delete(AGENTS), agentId));
    }

    /**
     * Deregisters an agent at once, unless another process registered it since.
     *
     * @throws SupersededException where another process did
     */
    public void deregister(String agentId, long incarnation) {
        api.send(agent(Call.delete(AGENTS), agentId).query("incarnation", incarnation));
    }

    /** The events of an agent, oldest first; each has a {@code type} and a {@code timestamp}. */
    public Stream<JsonNode> events(String agentId) {
        return Pages.stream(api, () -> agent(Call.get(AGENTS), agentId).path("/events"), "events", event -> event);
    }

    private static Call agent(Call call, String agentId) {
        return call.segment(agentId);
    }
}
