package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** An agent in a list (RFC-0016 §6.1), with the data that a caller needs to choose an agent. */
public class AgentSummary extends Document {

    AgentSummary(JsonNode json) {
        super(json);
    }

    public String agentId() {
        return Json.text(node(), "agent_id");
    }

    /** Returns {@code agent}, or {@code mcp_server} for a server of the Model Context Protocol. */
    public String kind() {
        return Json.text(node(), "kind");
    }

    /** Returns its role; empty if it has no role. */
    public String roleId() {
        return Json.text(node(), "role_id");
    }

    public List<String> capabilities() {
        return Json.texts(node(), "capabilities");
    }

    /** Returns {@code active}, {@code draining}, {@code unhealthy}, {@code dead} or {@code deregistered} (RFC-0016 §2). */
    public String status() {
        return Json.text(node(), "status");
    }

    /** Returns the maximum number of concurrent tasks; empty if the agent declares no capacity. */
    public OptionalInt maxConcurrentTasks() {
        return Json.integer(node().path("capacity"), "max_concurrent_tasks");
    }

    /** Returns the number of tasks in progress. */
    public int currentLoad() {
        return node().path("capacity").path("current_load").asInt();
    }

    public Optional<Instant> lastHeartbeatAt() {
        return Json.moment(node(), "last_heartbeat_at");
    }

    /** Returns the next scheduled run of the agent. It is in the past if a run is missing, and empty without a schedule. */
    public Optional<Instant> expectedAt() {
        return Json.moment(node(), "expected_at");
    }

    /** Returns {@code blocked}, {@code down}, {@code degraded}, {@code unknown} or {@code ok}; empty if only a list shows it. */
    public String verdict() {
        return Json.text(node(), "verdict");
    }

    /** Returns the codes of the reasons for the verdict. */
    public List<String> reasons() {
        return Json.texts(node(), "reasons");
    }

    /** Returns the score from 0 to 100; empty if it is unknown. */
    public OptionalDouble score() {
        return Json.number(node(), "score");
    }

    /** Returns true if a task is without progress for longer than the agent declares. */
    public boolean stalled() {
        return node().path("stalled").asBoolean();
    }

    /** Returns the time since which the agent is stalled; empty if it is not stalled. */
    public Optional<Instant> stalledSince() {
        return Json.moment(node(), "stalled_since");
    }

    /** Returns the time since which the agent waits for a person; empty if it waits for no person. */
    public Optional<Instant> waitingSince() {
        return Json.moment(node(), "waiting_since");
    }

    /** Returns true if the agent repeats the same calls at least as often as it declares. */
    public boolean looping() {
        return node().path("looping").asBoolean();
    }

    /** Returns the time since which the agent is looping; empty if it is not looping. */
    public Optional<Instant> loopingSince() {
        return Json.moment(node(), "looping_since");
    }

    /** Returns the tool that a looping agent repeats; empty if the agent is not looping, repeats calls of a model, or the name is unknown. */
    public String loopingTool() {
        return Json.text(node(), "looping_tool");
    }

    /**
     * Returns the phase of the task that is longest without progress: {@code model}, {@code tool}, {@code human}, {@code other}; empty
     * without a task.
     */
    public String phase() {
        return Json.text(node().path("activity"), "phase");
    }

    public boolean blocked() {
        return node().path("blocked").asBoolean();
    }
}
