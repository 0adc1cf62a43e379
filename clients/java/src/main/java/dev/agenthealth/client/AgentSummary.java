package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** An agent as a list shows it (RFC-0016 §6.1): what is needed to choose one. */
public class AgentSummary extends Document {

    AgentSummary(JsonNode json) {
        super(json);
    }

    public String agentId() {
        return Json.text(node(), "agent_id");
    }

    /** {@code agent}, or {@code mcp_server} for a server of the Model Context Protocol. */
    public String kind() {
        return Json.text(node(), "kind");
    }

    /** Its role; empty where it has none. */
    public String roleId() {
        return Json.text(node(), "role_id");
    }

    public List<String> capabilities() {
        return Json.texts(node(), "capabilities");
    }

    /** {@code active}, {@code draining}, {@code unhealthy}, {@code dead} or {@code deregistered} (RFC-0016 §2). */
    public String status() {
        return Json.text(node(), "status");
    }

    /** The maximum number of tasks at once; empty where it declares no capacity. */
    public OptionalInt maxConcurrentTasks() {
        return Json.integer(node().path("capacity"), "max_concurrent_tasks");
    }

    /** The number of tasks in progress. */
    public int currentLoad() {
        return node().path("capacity").path("current_load").asInt();
    }

    public Optional<Instant> lastHeartbeatAt() {
        return Json.moment(node(), "last_heartbeat_at");
    }

    /** Returns the next run of the agent by its schedule; earlier than now where a run did not come, empty without a schedule. */
    public Optional<Instant> expectedAt() {
        return Json.moment(node(), "expected_at");
    }

    /** {@code blocked}, {@code down}, {@code degraded}, {@code unknown} or {@code ok}; empty where only a list shows it. */
    public String verdict() {
        return Json.text(node(), "verdict");
    }

    /** The codes of the reasons for the verdict. */
    public List<String> reasons() {
        return Json.texts(node(), "reasons");
    }

    /** The score from 0 to 100; empty where none is known. */
    public OptionalDouble score() {
        return Json.number(node(), "score");
    }

    /** Returns whether a task is without progress for longer than the agent declares. */
    public boolean stalled() {
        return node().path("stalled").asBoolean();
    }

    /** Since when the agent is stalled; empty where it is not. */
    public Optional<Instant> stalledSince() {
        return Json.moment(node(), "stalled_since");
    }

    /** Returns the phase of the task that is longest without progress: {@code model}, {@code tool}, {@code human}, {@code other}; empty without one. */
    public String phase() {
        return Json.text(node().path("activity"), "phase");
    }

    public boolean blocked() {
        return node().path("blocked").asBoolean();
    }
}
