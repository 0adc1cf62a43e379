package dev.agenthealth.functions.coordination;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.lifecycle.Workload;
import dev.agenthealth.model.workflow.PoolSize;
import dev.agenthealth.model.workflow.RoleDefaults;
import dev.agenthealth.model.workflow.Workflow;

/** The JSON of a workflow: its declarations, completed with the defaults. */
final class WorkflowJson {

    private WorkflowJson() {}

    static ObjectNode full(Workflow workflow) {
        ObjectNode json = Json.object();
        json.put("name", workflow.name());
        json.put("version", workflow.version());
        json.put("updated_at", workflow.updatedAt().toString());
        ObjectNode agents = json.putObject("agents");
        workflow.agents().forEach((entry, role) -> agents.set(entry, agent(role)));
        return json;
    }

    static ObjectNode item(WorkflowStore.Summary workflow) {
        ObjectNode json = Json.object();
        json.put("name", workflow.name());
        json.put("version", workflow.version());
        json.put("updated_at", workflow.updatedAt().toString());
        ArrayNode roles = json.putArray("roles");
        workflow.roleIds().forEach(roles::add);
        return json;
    }

    /** Puts a pool's bounds; null for none. */
    static void putBounds(ObjectNode json, PoolSize pool) {
        json.put("min_instances", pool.minimum());
        if (pool.hasMaximum()) {
            json.put("max_instances", pool.maximum());
        } else {
            json.putNull("max_instances");
        }
    }

    private static ObjectNode agent(RoleDefaults role) {
        ObjectNode json = Json.object();
        json.put("role_id", role.roleId());
        ArrayNode capabilities = json.putArray("capabilities");
        role.capabilities().forEach(capabilities::add);
        ObjectNode capacity = json.putObject("capacity");
        if (role.maxConcurrentTasks() == Workload.NOT_DECLARED) {
            capacity.putNull("max_concurrent_tasks");
        } else {
            capacity.put("max_concurrent_tasks", role.maxConcurrentTasks());
        }
        json.putObject("heartbeat")
                .put("interval_seconds", role.heartbeat().intervalSeconds())
                .put("unhealthy_after_seconds", role.heartbeat().unhealthyAfterSeconds())
                .put("dead_after_seconds", role.heartbeat().deadAfterSeconds());
        json.put("drain_timeout_seconds", role.drainTimeout().toSeconds());
        putBounds(json.putObject("pool"), role.pool());
        return json;
    }
}
