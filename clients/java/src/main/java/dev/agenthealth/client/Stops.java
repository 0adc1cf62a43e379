package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * Stops of agents. The gateway calls no stopped agent, and each stopped agent is asked to drain. A stop also covers agents that register later. A
 * stop names an {@code agent_id}, a {@code role_id}, the {@code key_id} of an owner, or {@code all} with the value {@code true}. Every method throws
 * {@link AgentHealthException} if its request fails. Thread-safe.
 */
public final class Stops {

    private static final String PATH = "/v1/admin/stop";

    private final Api api;

    Stops(Api api) {
        this.api = api;
    }

    /** Returns the stops in force. */
    public List<JsonNode> list() {
        return Pages.stream(api, () -> Call.get(PATH), "stops", stop -> stop).toList();
    }

    /**
     * Stops agents. Returns the stop with the counts of its agents.
     *
     * @param field {@code agent_id}, {@code role_id}, {@code key_id} or {@code all}
     */
    public JsonNode stop(String field, Object value, String reason) {
        return post(Map.of(field, value, "reason", reason));
    }

    /** Returns the counts of the agents that a stop would cover. Changes nothing. */
    public JsonNode count(String field, Object value) {
        return post(Map.of(field, value, "dry_run", true));
    }

    /** Lifts a stop. Returns the counts of its agents. */
    public JsonNode lift(String field, Object value) {
        return api.send(Call.delete(PATH).query(field, value));
    }

    private JsonNode post(Map<String, Object> body) {
        return api.send(Call.post(PATH).body((ObjectNode) Json.of(body)));
    }
}
