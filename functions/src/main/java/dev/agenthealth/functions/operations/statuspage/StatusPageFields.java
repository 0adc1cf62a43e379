package dev.agenthealth.functions.operations.statuspage;

import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.operations.status.IncidentState;
import dev.agenthealth.model.operations.status.StatusEntry;
import dev.agenthealth.model.operations.status.StatusIncident;
import dev.agenthealth.model.operations.status.StatusPage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the status page and its incidents from requests. */
final class StatusPageFields {

    private static final int MAX_TITLE = 120;
    private static final int MAX_LABEL = 80;
    private static final int MAX_TEXT = 1000;
    private static final String ONE_SUBJECT = "must be the only one of agent_id and role_id";

    private StatusPageFields() {}

    /** @throws ApiError 400 naming every error */
    static StatusPage page(Fields body) {
        StatusPage page = read(body, List.of());
        body.refuseUnknown();
        body.check();
        return page;
    }

    /** Reads a page with its incidents. Use the page only if no error was recorded. */
    static StatusPage whole(Fields body, Instant now) {
        List<StatusIncident> incidents = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Fields fields : body.objects("incidents", StatusPage.MAX_INCIDENTS)) {
            fields.require("incident_id");
            StatusIncident incident = read(fields.id("incident_id"), fields, now);
            if (!ids.add(incident.id())) {
                fields.refuse("incident_id", "must not be the id of another incident");
            }
            fields.refuseUnknown();
            incidents.add(incident);
        }
        StatusPage page = read(body, incidents);
        body.refuseUnknown();
        return page;
    }

    private static StatusPage read(Fields body, List<StatusIncident> incidents) {
        body.require("path");
        body.require("title");
        boolean published = body.flag("published", false);
        String path = body.id("path");
        String title = body.text("title", MAX_TITLE);
        List<StatusEntry> entries = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Fields fields : body.objects("entries", StatusPage.MAX_ENTRIES)) {
            StatusEntry entry = entry(fields);
            if (!names.add(entry.name())) {
                fields.refuse("name", "must not be the name of another entry");
            }
            entries.add(entry);
        }
        return new StatusPage(path, title, published, entries, incidents, Instant.EPOCH);
    }

    private static StatusEntry entry(Fields fields) {
        fields.require("name");
        fields.require("label");
        String name = fields.id("name");
        String label = fields.text("label", MAX_LABEL);
        String agentId = fields.id("agent_id");
        String roleId = fields.id("role_id");
        if (fields.has("agent_id") == fields.has("role_id")) {
            fields.refuse("role_id", ONE_SUBJECT);
        }
        fields.refuseUnknown();
        return new StatusEntry(name, label, fields.has("agent_id"), fields.has("agent_id") ? agentId : roleId);
    }

    /** @throws ApiError 400 naming every error */
    static StatusIncident incident(String id, Fields body, Instant now) {
        StatusIncident incident = read(id, body, now);
        body.refuseUnknown();
        body.check();
        return incident;
    }

    private static StatusIncident read(String id, Fields body, Instant now) {
        body.require("title");
        body.require("state");
        String title = body.text("title", MAX_TITLE);
        // The page shows an incident without a text with an empty one.
        boolean none = body.any("text").asText("none").isEmpty();
        String text = none ? "" : body.text("text");
        if (text.length() > MAX_TEXT || text.chars().anyMatch(c -> c < ' ' && c != '\n')) {
            body.refuse(
                    "text", "must have at most " + MAX_TEXT + " characters, and no control characters but line breaks");
        }
        IncidentState state = body.oneOf("state", IncidentState.class).orElse(IncidentState.INVESTIGATING);
        Instant started = body.timestamp("started_at").orElse(now).truncatedTo(ChronoUnit.MILLIS);
        Optional<Instant> resolved = body.timestamp("resolved_at").map(at -> at.truncatedTo(ChronoUnit.MILLIS));
        if (started.isAfter(now)) {
            body.refuse("started_at", "must not be in the future");
        }
        if (state != IncidentState.RESOLVED && resolved.isPresent()) {
            body.refuse("resolved_at", "must be absent unless state is resolved");
        }
        resolved.filter(at -> at.isBefore(started) || at.isAfter(now))
                .ifPresent(at -> body.refuse("resolved_at", "must be between started_at and now"));
        Optional<Instant> end = state == IncidentState.RESOLVED ? Optional.of(resolved.orElse(now)) : Optional.empty();
        return new StatusIncident(id, title, text, state, started, end.map(at -> at.truncatedTo(ChronoUnit.MILLIS)));
    }
}
