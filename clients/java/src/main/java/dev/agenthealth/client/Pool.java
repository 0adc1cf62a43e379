package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The agents of one role and their total capacity (RFC-0016 §7). */
public final class Pool extends Document {

    Pool(JsonNode json) {
        super(json);
    }

    public String roleId() {
        return Json.text(node(), "role_id");
    }

    /** Returns the sum of the maximum numbers of concurrent tasks, over members that are neither dead nor deregistered. */
    public int maxConcurrentTasks() {
        return node().path("capacity").path("max_concurrent_tasks").asInt();
    }

    public int currentLoad() {
        return node().path("capacity").path("current_load").asInt();
    }

    /**
     * Returns the maximum number of tasks minus the load, over the members that declare a maximum. It is below 0 if they are overloaded
     * (RFC-0016 §7.2).
     */
    public int available() {
        return node().path("capacity").path("available").asInt();
    }

    /** Returns the number of members with a lifecycle status. */
    public int members(String status) {
        return node().path("by_status").path(status).path("members").asInt();
    }

    /** Returns the members; empty in a list of pools. */
    public List<AgentSummary> members() {
        List<AgentSummary> members = new ArrayList<>();
        node().path("members").forEach(member -> members.add(new AgentSummary(member)));
        return List.copyOf(members);
    }

    /** Returns the minimum that a workflow declares; empty if no workflow declares it. */
    public OptionalInt minInstances() {
        return Json.integer(node(), "min_instances");
    }

    /** Returns true if fewer members are active than the minimum. */
    public boolean belowMinimum() {
        return node().path("below_minimum").asBoolean();
    }

    /** Returns the time at which the members were counted. In a list, large pools may be up to three minutes old. */
    public Optional<Instant> asOf() {
        return Json.moment(node(), "as_of");
    }
}
