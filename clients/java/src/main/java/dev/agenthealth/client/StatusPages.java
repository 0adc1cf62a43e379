package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The status page for outsiders. Administrators publish the page, and coordinators write its incidents. Every method throws
 * {@link AgentHealthException} if its request fails. Thread-safe.
 */
public final class StatusPages {

    private static final String PAGE = "/api/v1/status-page";

    private final Api api;

    StatusPages(Api api) {
        this.api = api;
    }

    /** Returns the page with its entries and incidents. The {@code path} is empty before anybody writes the page. */
    public JsonNode get() {
        return api.send(Call.get(PAGE));
    }

    /**
     * Replaces the page, and keeps its incidents.
     *
     * @param page with {@code path}, {@code title}, {@code published} and {@code entries}
     */
    public JsonNode put(Map<String, ?> page) {
        return api.send(Call.put(PAGE).body((ObjectNode) Json.of(page)));
    }

    /**
     * Creates or replaces an incident.
     *
     * @param incident with {@code title}, {@code state} and, if it is known, {@code text}
     */
    public JsonNode putIncident(String id, Map<String, ?> incident) {
        return api.send(Call.put(PAGE + "/incidents").segment(id).body((ObjectNode) Json.of(incident)));
    }

    /** Removes an incident. Does nothing if it does not exist. */
    public void deleteIncident(String id) {
        api.send(Call.delete(PAGE + "/incidents").segment(id));
    }
}
