package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;

/** The measured health of agents (Agent Health State, Agent Health Model). Thread-safe. */
public final class Health {

    private static final String AGENT_RECORDS = "/v1/health/agents";
    private static final String PROVIDER_RECORDS = "/v1/health/providers";

    private final Api api;

    Health(Api api) {
        this.api = api;
    }

    /** Returns the public health document of an agent. */
    public JsonNode document(String agentId) {
        return api.send(Call.get("/agents").segment(agentId).path("/.well-known/agent-health"));
    }

    /** Returns the score of an agent with its verdict and the reasons. */
    public HealthScore score(String agentId) {
        return new HealthScore(api.send(agent(agentId)));
    }

    /** Returns the points of an agent's history, oldest first. */
    public Stream<JsonNode> history(String agentId, Instant from, Instant to) {
        return Pages.stream(
                api,
                () -> agent(agentId).path("/history").query("from", from).query("to", to),
                "points",
                point -> point);
    }

    /**
     * Returns the availability of an agent over a window that ends now, and its incidents.
     *
     * @param window {@code 24h}, {@code 30d} or {@code 90d}
     */
    public JsonNode availability(String agentId, String window) {
        return api.send(Call.get("/api/v1/agents")
                .segment(agentId)
                .path("/availability")
                .query("window", window));
    }

    /**
     * Returns tokens and calls over time.
     *
     * @param by {@code agent}, {@code role}, {@code owner}, {@code model} or {@code provider}
     * @param parameters further parameters of the request, such as {@code role_id}, {@code from}, {@code to} and {@code step}
     */
    public JsonNode usage(String by, Map<String, String> parameters) {
        Call call = Call.get("/api/v1/usage").query("by", by);
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            call = call.query(parameter.getKey(), parameter.getValue());
        }
        return api.send(call);
    }

    /** Returns the evidence of an agent's invocations through the gateway: its online status, latency and counts (ServiceNet). */
    public JsonNode online(String agentId) {
        return api.send(Call.get(AGENT_RECORDS).segment(agentId));
    }

    /** Returns the evidence of invocations of all agents. */
    public Stream<JsonNode> online() {
        return Pages.stream(api, () -> Call.get(AGENT_RECORDS), "items", item -> item);
    }

    /** Returns the combined evidence of invocations of a provider's agents. */
    public JsonNode onlineProvider(String providerId) {
        return api.send(Call.get(PROVIDER_RECORDS).segment(providerId));
    }

    /** Returns the evidence of invocations of every provider. */
    public Stream<JsonNode> onlineProviders() {
        return Pages.stream(api, () -> Call.get(PROVIDER_RECORDS), "items", item -> item);
    }

    /** Returns the health of the whole system, or of the key's roles. */
    public JsonNode system() {
        return api.send(Call.get("/api/v1/health"));
    }

    private static Call agent(String agentId) {
        return Call.get("/api/v1/agents").segment(agentId).path("/health");
    }
}
