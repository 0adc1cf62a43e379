package dev.agenthealth.functions.registry.coordination;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.registry.DeclaredFields;
import dev.agenthealth.functions.registry.LimitFields;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.workflow.PoolSize;
import dev.agenthealth.model.registry.workflow.RoleDefaults;
import dev.agenthealth.model.registry.workflow.Workflow;
import java.util.Map;

/** The JSON of a workflow: its declarations, completed with defaults. */
final class WorkflowJson {

    private WorkflowJson() {}

    static ObjectNode full(Workflow workflow) {
        ObjectNode json = Json.object();
        json.put("name", workflow.name());
        json.put("version", workflow.version());
        json.put("updated_at", Timestamps.text(workflow.updatedAt()));
        putAgents(json, workflow.agents());
        return json;
    }

    /** Returns what a workflow declares. */
    static ObjectNode declared(String name, Map<String, RoleDefaults> agents) {
        ObjectNode json = Json.object().put("name", name);
        putAgents(json, agents);
        return json;
    }

    private static void putAgents(ObjectNode json, Map<String, RoleDefaults> agents) {
        ObjectNode shown = json.putObject("agents");
        agents.forEach((entry, role) -> shown.set(entry, agent(role)));
    }

    static ObjectNode item(WorkflowStore.Summary workflow) {
        ObjectNode json = Json.object();
        json.put("name", workflow.name());
        json.put("version", workflow.version());
        json.put("updated_at", Timestamps.text(workflow.updatedAt()));
        workflow.roleIds().forEach(json.putArray("roles")::add);
        return json;
    }

    /** Puts the bounds of a pool; null for no bounds. */
    static void putBounds(ObjectNode json, PoolSize pool) {
        json.put("min_instances", pool.minimum());
        json.put("max_instances", pool.hasMaximum() ? pool.maximum() : null);
    }

    private static ObjectNode agent(RoleDefaults role) {
        ObjectNode json = Json.object();
        json.put("role_id", role.roleId());
        role.capabilities().forEach(json.putArray("capabilities")::add);
        DeclaredFields.putMaxTasks(json.putObject("capacity"), role.maxConcurrentTasks());
        DeclaredFields.put(json.putObject("heartbeat"), role.heartbeat());
        json.put("drain_timeout_seconds", role.drainTimeout().toSeconds());
        putBounds(json.putObject("pool"), role.pool());
        json.put("contact", role.contact().contact());
        json.put("runbook_url", role.contact().runbookUrl());
        LimitFields.put(json, role.limits());
        return json;
    }
}
