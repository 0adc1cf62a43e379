package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.a2a.TaskQuery;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore.OpenTask;
import dev.agenthealth.functions.storage.trust.StopStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.health.trust.StopScope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cancels the tasks of stopped agents. Each message of the queue describes a part of the work. Its handler queues a message for the rest. Repeating a
 * message cancels no other task. Thread-safe.
 */
final class TaskCancellation {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The maximum number of open tasks that one message reads. */
    private static final int PAGE = 200;

    /** The maximum number of tasks that one message cancels, so that it ends before the function does. */
    private static final int MAX_CANCELLED = 5;

    private final OpenTaskStore store;
    private final OpenTasks tasks;
    private final StopStore stops;
    private final AdmissionCheck admission;
    private final AgentCalls calls;
    private final CommandQueue queue;
    private final Log log;

    TaskCancellation(
            OpenTaskStore store,
            OpenTasks tasks,
            StopStore stops,
            AdmissionCheck admission,
            AgentCalls calls,
            CommandQueue queue,
            Log log) {
        this.store = store;
        this.tasks = tasks;
        this.stops = stops;
        this.admission = admission;
        this.calls = calls;
        this.queue = queue;
        this.log = log;
    }

    /** Does a part of the work, and queues the rest. */
    void work(CommandQueue.Cancellation part) {
        Set<StopScope> inForce =
                stops.seen().stops().stream().map(stop -> stop.scope()).collect(Collectors.toSet());
        OpenTaskStore.Shard page = store.page(part.shard(), part.after(), PAGE);
        List<OpenTask> stopped = page.tasks().stream()
                .filter(task -> task.scopes().stream().anyMatch(inForce::contains))
                .toList();
        stopped.stream().limit(MAX_CANCELLED).forEach(this::cancel);
        if (stopped.size() > MAX_CANCELLED) {
            // The cancelled tasks are no longer open, or are tried once more after the others.
            String last = OpenTaskStore.position(stopped.get(MAX_CANCELLED - 1));
            queue.cancel(new CommandQueue.Cancellation(part.shard(), last));
        } else if (!page.next().isEmpty()) {
            queue.cancel(new CommandQueue.Cancellation(part.shard(), page.next()));
        } else if (part.shard() + 1 < OpenTaskStore.SHARDS) {
            queue.cancel(new CommandQueue.Cancellation(part.shard() + 1, ""));
        }
    }

    private void cancel(OpenTask task) {
        try {
            Optional<Admitted> agent = admission.reachable(task.agentId());
            if (agent.isEmpty()) {
                return;
            }
            TaskQuery query = TaskQuery.toCancel(task.taskId());
            String requestId = IdempotencyRecords.newReceiptId();
            CallResult result = calls.call(
                    agent.get(),
                    calls.resolve(agent.get(), TIMEOUT),
                    version -> A2aRequest.task(version, query, requestId),
                    TraceContext.NONE,
                    TIMEOUT);
            if (result.succeeded()) {
                tasks.seen(agent.get().stored(), Json.stored(result.returned()));
            } else if (result.failure().filter(failure -> failure.isRpcError()).isPresent()) {
                // The agent does not know the task, or the task has ended.
                tasks.forget(task);
            }
            log.info("task_cancelled", Map.of("agent_id", task.agentId(), "succeeded", result.succeeded()));
        } catch (CallFailedException e) {
            log.warn(
                    "task_not_cancelled",
                    Map.of("agent_id", task.agentId(), "reason", e.reason().wireName()));
        } catch (RuntimeException e) {
            log.failure("task_not_cancelled", task.agentId(), e);
        }
    }
}
