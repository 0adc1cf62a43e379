package dev.agenthealth.functions.storage.statuspage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.operations.status.IncidentState;
import dev.agenthealth.model.operations.status.StatusEntry;
import dev.agenthealth.model.operations.status.StatusIncident;
import dev.agenthealth.model.operations.status.StatusPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A status page as JSON: as it is stored, and as operators see it. */
public final class StatusPageText {

    private StatusPageText() {}

    static String write(StatusPage page) {
        return Json.text(json(page));
    }

    /** Returns the page as operators see it. */
    public static ObjectNode json(StatusPage page) {
        ObjectNode json = Json.object().put("path", page.path()).put("title", page.title());
        json.put("published", page.published());
        ArrayNode entries = json.putArray("entries");
        for (StatusEntry entry : page.entries()) {
            entries.addObject()
                    .put("name", entry.name())
                    .put("label", entry.label())
                    .put(entry.agent() ? "agent_id" : "role_id", entry.id());
        }
        ArrayNode incidents = json.putArray("incidents");
        page.incidents().forEach(incident -> incidents.add(json(incident)));
        return json.put("updated_at", Timestamps.text(page.updatedAt()));
    }

    /** Returns an incident as operators and readers see it. */
    public static ObjectNode json(StatusIncident incident) {
        return Json.object()
                .put("incident_id", incident.id())
                .put("title", incident.title())
                .put("text", incident.text())
                .put("state", incident.state().wireName())
                .put("started_at", Timestamps.text(incident.startedAt()))
                .put("resolved_at", incident.resolvedAt().map(Timestamps::text).orElse(null));
    }

    static StatusPage read(String text) {
        JsonNode json = Json.stored(text);
        List<StatusEntry> entries = new ArrayList<>();
        for (JsonNode entry : json.path("entries")) {
            boolean agent = entry.has("agent_id");
            String id = entry.path(agent ? "agent_id" : "role_id").asText();
            entries.add(new StatusEntry(
                    entry.path("name").asText(), entry.path("label").asText(), agent, id));
        }
        List<StatusIncident> incidents = new ArrayList<>();
        json.path("incidents").forEach(incident -> incidents.add(incident(incident)));
        return new StatusPage(
                json.path("path").asText(),
                json.path("title").asText(),
                json.path("published").asBoolean(),
                entries,
                incidents,
                Instant.parse(json.path("updated_at").asText()));
    }

    private static StatusIncident incident(JsonNode json) {
        return new StatusIncident(
                json.path("incident_id").asText(),
                json.path("title").asText(),
                json.path("text").asText(),
                state(json.path("state").asText()),
                Instant.parse(json.path("started_at").asText()),
                Optional.of(json.path("resolved_at"))
                        .filter(JsonNode::isTextual)
                        .map(at -> Instant.parse(at.asText())));
    }

    private static IncidentState state(String name) {
        return Arrays.stream(IncidentState.values())
                .filter(state -> state.wireName().equals(name))
                .findFirst()
                .orElse(IncidentState.INVESTIGATING);
    }
}
