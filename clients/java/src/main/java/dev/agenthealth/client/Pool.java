package dev.agenthealth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The agents of one role and their capacity together (RFC-0016 §7). */
public final class Pool extends Document {

    Pool(JsonNode json) {
        super(json);
    }

    public String roleId() {
        return Json.text(node(), "role_id");
    }

    /** The maximum number of tasks at once of the members that are neither dead nor deregistered. */
    public int maxConcurrentTasks() {
        return node().path("capacity").path("max_concurrent_tasks").asInt();
    }

    public int currentLoad() {
        return node().path("capacity").path("current_load").asInt();
    }

    /** The maximum number of tasks less the load of the members that declare a maximum; below 0 where they are overloaded (RFC-0016 §7.2). */
    public int available() {
        return node().path("capacity").path("available").asInt();
    }

    /** The number of members with a lifecycle status. */
    public int members(String status) {
        return node().path("by_status").path(status).path("members").asInt();
    }

    /** The members; empty in a list of pools. */
    public List<AgentSummary> members() {
        List<AgentSummary> members = new ArrayList<>();
        node().path("members").forEach(member -> members.add(new AgentSummary(member)));
        return List.copyOf(members);
    }

    /** The minimum that a workflow declares; empty where none does. */
    public OptionalInt minInstances() {
        return Json.integer(node(), "min_instances");
    }

    /** Returns true where fewer members are active than the minimum. */
    public boolean belowMinimum() {
        return node().path("below_minimum").asBoolean();
    }

    /** The time at which the members were counted: in a list of large pools up to three minutes ago. */
    public Optional<Instant> asOf() {
        return Json.moment(node(), "as_of");
    }
}
