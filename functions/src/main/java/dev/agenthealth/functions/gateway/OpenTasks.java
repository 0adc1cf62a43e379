package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.a2a.A2aResult;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore.OpenTask;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Follows the tasks of agents that the gateway sees: which of them have not ended, and which wait for a person. A failure to store this is only logged,
 * because the call of the agent has succeeded. Thread-safe.
 */
final class OpenTasks {

    private final OpenTaskStore store;
    private final Consumer<CommandQueue.Look> looks;
    private final Clock clock;
    private final Log log;

    /** @param looks queues the first later look at a task that waits for a person */
    OpenTasks(OpenTaskStore store, Consumer<CommandQueue.Look> looks, Clock clock, Log log) {
        this.store = store;
        this.looks = looks;
        this.clock = clock;
        this.log = log;
    }

    /** Notes the state of a task in a result or in a part of a stream, in any form that agents send. Does nothing without a state. */
    void seen(StoredAgent agent, JsonNode result) {
        JsonNode known = A2aResult.notification(result).orElse(result);
        Optional<String> taskId = A2aResult.taskId(known);
        Optional<A2aResult.TaskState> state = A2aResult.taskState(known);
        if (taskId.isPresent() && state.isPresent()) {
            try {
                note(agent, taskId.get(), state.get());
            } catch (RuntimeException e) {
                log.failure("open_task_not_stored", agent.pulse().agentId(), e);
            }
        }
    }

    private void note(StoredAgent agent, String taskId, A2aResult.TaskState state) {
        String agentId = agent.pulse().agentId();
        Optional<OpenTask> before = store.find(agentId, taskId);
        boolean waited = before.filter(OpenTask::waits).isPresent();
        boolean waits = state == A2aResult.TaskState.WAITS_FOR_PERSON;
        OpenTask now = new OpenTask(
                agentId, taskId, agent.profile().roleId(), agent.pulse().owner().keyId(), waits, clock.instant());
        if (state == A2aResult.TaskState.ENDED) {
            if (before.isPresent()) {
                store.remove(agentId, taskId);
            }
        } else if (before.isEmpty() || waited != waits) {
            store.put(now);
        }
        if (waited != waits) {
            store.noteWait(agentId);
            if (waits) {
                // The task may go on without a call of the gateway. This comes last, because the queue may fail.
                looks.accept(firstLook(now));
            }
        }
    }

    /** Returns the first later look at a task in its present state. */
    static CommandQueue.Look firstLook(OpenTask task) {
        return new CommandQueue.Look(0, task.since().toEpochMilli(), OpenTaskStore.position(task));
    }

    /** Forgets a task that the agent no longer knows. */
    void forget(OpenTask task) {
        store.remove(task.agentId(), task.taskId());
        if (task.waits()) {
            store.noteWait(task.agentId());
        }
    }
}
