package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The whole record of an agent (RFC-0016 §1). */
public final class AgentRecord extends AgentSummary {

    AgentRecord(JsonNode json) {
        super(json);
    }

    /** Rises with every registration of the id. */
    public long incarnation() {
        return node().path("incarnation").asLong();
    }

    /** Rises with every change; what {@code If-Match} names. */
    public long version() {
        return node().path("version").asLong();
    }

    /** The time between two heartbeats. */
    public Duration heartbeatInterval() {
        return seconds("interval_seconds");
    }

    /** The silence after which the agent is dead. */
    public Duration deadAfter() {
        return seconds("dead_after_seconds");
    }

    /** The tasks of its last heartbeat. */
    public List<String> tasksInProgress() {
        return Json.texts(node(), "tasks_in_progress");
    }

    /** Those of its tasks for which it holds no lease. */
    public List<String> unleasedTasks() {
        return Json.texts(node(), "unleased_tasks");
    }

    /** The URL for its heartbeats; empty for the registry's own address, also where the other one must not be used. */
    Optional<URI> heartbeatUrl(URI registry) {
        return NamedAddress.usable(registry, Json.text(node(), "heartbeat_url"));
    }

    private Duration seconds(String field) {
        return Duration.ofSeconds(node().path("heartbeat_config").path(field).asLong());
    }
}
