package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Freshness;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.score.HealthScore;
import java.time.Instant;
import java.util.Optional;

/**
 * A health document (Agent Health State §4.2).
 *
 * <p>The only free text of the registrant in it is {@code agent_uri}. Timestamp, status and uptime are as of the read. The extension {@code
 * dev.agenthealth.measured_at} has the time of the computation.
 *
 * @param json the document
 * @param tag the tag of all equivalent documents
 */
record HealthDocument(ObjectNode json, EntityTag tag) {

    private static final String SCHEMA_VERSION = "0.1.0";
    private static final String NAMESPACE = "dev.agenthealth.";
    private static final String MEASURED_AT = NAMESPACE + "measured_at";
    private static final String EXTENSIONS = "extensions";

    /**
     * Returns the public document. The document of a personal agent says little more than whether to call the agent (§8).
     *
     * @param address the registry's public address without a trailing slash, never chosen by a caller
     */
    static HealthDocument ofPublic(HealthReading reading, Optional<String> address) {
        return tagged(
                reading.health().subject().personal() ? coarse(reading, address) : ofAgent(reading, address), reading);
    }

    /** Returns the full document with lifecycle status and score. */
    static HealthDocument whole(HealthReading reading, Optional<String> address) {
        ObjectNode document = ofAgent(reading, address);
        ObjectNode extensions = (ObjectNode) document.get(EXTENSIONS);
        extensions
                .putObject(NAMESPACE + "lifecycle")
                .put("status", reading.lifecycle().status().wireName());
        HealthScore score = reading.health().score();
        ObjectNode shown = extensions.putObject(NAMESPACE + "score");
        HealthJson.putPoints(shown, score);
        shown.put("state", score.state().wireName());
        return tagged(document, reading);
    }

    /**
     * Returns the registry's own document.
     *
     * @param id the public URL of the document, or the plain id of the registry
     */
    static HealthDocument ofRegistry(HealthReading reading, String id) {
        return tagged(full(reading, id), reading);
    }

    /** Returns the response; 304 if the caller has an equivalent document. */
    ApiResponse answer(ApiRequest request) {
        Freshness freshness = request.knownCaller().isPresent() ? Freshness.PRIVATE : Freshness.SHARED;
        return ApiResponse.cacheable(request, json, tag, freshness);
    }

    private static ObjectNode ofAgent(HealthReading reading, Optional<String> address) {
        ObjectNode json = full(reading, uri(reading.health(), address));
        putAgentId(json, reading);
        if (!reading.health().subject().personal()) {
            ((ObjectNode) json.get(EXTENSIONS)).put(NAMESPACE + "restarts", reading.restarts());
        }
        return json;
    }

    private static ObjectNode full(HealthReading reading, String agentId) {
        ObjectNode json = head(agentId, reading.at());
        ObjectNode health = json.putObject("health");
        health.put("status", reading.status().wireName());
        HealthJson.putMoment(health, "last_healthy_at", reading.lastHealthyAt());
        health.put("uptime_seconds", reading.uptimeSeconds());
        json.set("calibration", HealthJson.calibration(reading));
        ObjectNode decay = json.putObject("decay");
        decay.put("calibration_trend", reading.health().measurement().trend().wireName());
        reading.daysSinceModelChange()
                .ifPresentOrElse(
                        days -> decay.put("days_since_model_change", days),
                        () -> decay.putNull("days_since_model_change"));
        HealthJson.putMoment(decay, "last_capability_update", reading.lastCapabilityUpdate());
        ObjectNode extensions = json.putObject(EXTENSIONS);
        reading.computedAt().ifPresent(moment -> extensions.put(MEASURED_AT, Timestamps.text(moment)));
        ObjectNode sources = HealthJson.samples(reading.health().measurement().counts());
        reading.probes().ifPresent(probes -> sources.put("probe", probes.samples()));
        extensions.set(NAMESPACE + "sources", sources);
        return json;
    }

    private static ObjectNode coarse(HealthReading reading, Optional<String> address) {
        ObjectNode json = head(uri(reading.health(), address), reading.at());
        json.putObject("health").put("status", reading.coarseStatus().wireName());
        json.putObject(EXTENSIONS);
        putAgentId(json, reading);
        return json;
    }

    /** Puts the id of the agent in the registry. */
    private static void putAgentId(ObjectNode json, HealthReading reading) {
        ((ObjectNode) json.get(EXTENSIONS))
                .put(NAMESPACE + "agent_id", reading.health().agentId());
    }

    private static ObjectNode head(String agentId, Instant at) {
        return Json.object()
                .put("schema_version", SCHEMA_VERSION)
                .put("agent_id", agentId)
                .put("timestamp", Timestamps.text(at));
    }

    /**
     * Returns the URI that the agent declares, or the URL of the agent's card at the public address, or the bare id (§4.2). An identifier
     * has to be stable, so it does not depend on the requested host.
     */
    private static String uri(AgentHealth health, Optional<String> address) {
        String declared = health.subject().agentUri();
        if (!declared.isEmpty()) {
            return declared;
        }
        return address.filter(known -> health.subject().hasCard())
                .map(known -> known + "/agents/" + health.agentId() + "/.well-known/agent-card.json")
                .orElse(health.agentId());
    }

    /**
     * Returns the document with its tag. Documents are equivalent if they differ only in values that change with time, such as the uptime,
     * and in the time of the computation. A new start of the uptime changes the tag.
     */
    private static HealthDocument tagged(ObjectNode json, HealthReading reading) {
        ObjectNode content = json.deepCopy();
        content.remove("timestamp");
        ((ObjectNode) content.get(EXTENSIONS)).remove(MEASURED_AT);
        ObjectNode health = (ObjectNode) content.get("health");
        if (health.has("uptime_seconds")) {
            health.remove("uptime_seconds");
            health.put("started_at", Timestamps.text(reading.health().subject().startedAt()));
        }
        if (reading.status() == HealthStatus.HEALTHY) {
            health.remove("last_healthy_at");
        }
        return new HealthDocument(json, EntityTag.of(Json.text(content)));
    }
}
