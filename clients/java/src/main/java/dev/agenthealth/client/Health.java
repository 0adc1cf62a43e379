package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.stream.Stream;

/** The measured health of agents (Agent Health State, Agent Health Model). Thread-safe. */
public final class Health {

    private final Api api;

    Health(Api api) {
        this.api = api;
    }

    /** The public health document of an agent. */
    public JsonNode document(String agentId) {
        return api.send(Call.get("/agents").segment(agentId).path("/.well-known/agent-health"));
    }

    /** The score of an agent with its verdict and the reasons. */
    public HealthScore score(String agentId) {
        return new HealthScore(api.send(agent(agentId)));
    }

    /** The points of an agent's history, oldest first. */
    public Stream<JsonNode> history(String agentId, Instant from, Instant to) {
        return Pages.stream(
                api,
                () -> agent(agentId).path("/history").query("from", from).query("to", to),
                "points",
                point -> point);
    }

    /** The evidence of invocations of an agent through the gateway: its online status, latency and counts (ServiceNet). */
    public JsonNode online(String agentId) {
        return api.send(Call.get("/v1/health/agents").segment(agentId));
    }

    /** The health of the whole system, or of the key's roles. */
    public JsonNode system() {
        return api.send(Call.get("/api/v1/health"));
    }

    private static Call agent(String agentId) {
        return Call.get("/api/v1/agents").segment(agentId).path("/health");
    }
}
