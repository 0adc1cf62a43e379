package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.identity.Caller;
import java.util.Collection;
import java.util.Set;

/**
 * Controls access to the tasks of agents. Callers may use the tasks that an agent returned to them, and administrators may use all tasks.
 * Thread-safe.
 */
final class TaskAccess {

    static final String NOT_FOUND = "task_not_found";

    private final TaskAccessStore store;
    private final OpenTasks open;

    TaskAccess(TaskAccessStore store, OpenTasks open) {
        this.store = store;
        this.open = open;
    }

    /**
     * Checks that a caller may use these tasks.
     *
     * @throws ApiError 404 if a task was not returned to the caller
     */
    void check(Caller caller, String agentId, Collection<String> taskIds) {
        if (taskIds.isEmpty() || caller.isAdministrator() || store.allows(agentId, taskIds, caller.keyId())) {
            return;
        }
        throw ApiError.notFound(NOT_FOUND, "The agent returned no such task to this key.");
    }

    /** Returns the tasks that a caller may use, out of these tasks. */
    Set<String> allowed(Caller caller, String agentId, Collection<String> taskIds) {
        return caller.isAdministrator() ? Set.copyOf(taskIds) : store.allowed(agentId, taskIds, caller.keyId());
    }

    /** Permits the caller of an invocation to use the task that the agent returned. */
    void allow(Receipt invocation, JsonNode returned) {
        A2aResult.taskId(returned).ifPresent(taskId -> allow(invocation.agentId(), taskId, invocation.keyId()));
    }

    /** Permits a key to use a task of an agent. */
    void allow(String agentId, String taskId, String keyId) {
        store.allow(agentId, taskId, keyId);
    }

    /** Notes the state of a task that the gateway sees. */
    void seen(StoredAgent agent, JsonNode returned) {
        open.seen(agent, returned);
    }
}
