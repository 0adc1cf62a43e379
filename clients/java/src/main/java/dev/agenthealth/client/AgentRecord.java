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

    /** Returns the incarnation, which rises with every registration of the id. */
    public long incarnation() {
        return node().path("incarnation").asLong();
    }

    /** Returns the version for {@code If-Match}, which rises with every change. */
    public long version() {
        return node().path("version").asLong();
    }

    /** Returns the time between two heartbeats. */
    public Duration heartbeatInterval() {
        return seconds("interval_seconds");
    }

    /** Returns the time without heartbeat after which the agent is dead. */
    public Duration deadAfter() {
        return seconds("dead_after_seconds");
    }

    /** Returns the tasks of its last heartbeat. */
    public List<String> tasksInProgress() {
        return Json.texts(node(), "tasks_in_progress");
    }

    /** Returns the tasks of the agent without a lease. */
    public List<String> unleasedTasks() {
        return Json.texts(node(), "unleased_tasks");
    }

    /** Returns the URL for its heartbeats. Empty for the registry's own address, and if the client must not use the other address. */
    Optional<URI> heartbeatUrl(URI registry) {
        return NamedAddress.usable(registry, Json.text(node(), "heartbeat_url"));
    }

    private Duration seconds(String field) {
        return Duration.ofSeconds(node().path("heartbeat_config").path(field).asLong());
    }
}
