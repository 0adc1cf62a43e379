package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.a2a.A2aAnswer;
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
 * message cancels no other task. Later looks at single tasks repeat failed cancellations, and find waiting tasks that went on without a call of the
 * gateway. Thread-safe.
 */
final class TaskCancellation {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The maximum number of open tasks that one message reads. */
    private static final int PAGE = 200;

    /** The maximum number of tasks that one message cancels, so that it ends before the function does. */
    private static final int MAX_CANCELLED = 5;

    /** The maximum number of times that a failed cancellation is repeated, which takes more than an hour. */
    private static final int MAX_REPEATS = 8;

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
        Set<StopScope> inForce = inForce();
        OpenTaskStore.Shard page = store.page(part.shard(), part.after(), PAGE);
        List<OpenTask> stopped =
                page.tasks().stream().filter(task -> isStopped(task, inForce)).toList();
        for (OpenTask task : stopped.stream().limit(MAX_CANCELLED).toList()) {
            if (!asked(task, TaskQuery.toCancel(task.taskId()))) {
                queue.look(OpenTasks.firstLook(task));
            }
        }
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

    /** Cancels a task whose agent is stopped, or asks for the state of a task that waits for a person. Queues the next look. */
    void look(CommandQueue.Look look) {
        Optional<OpenTask> found =
                store.at(look.position()).filter(task -> task.since().toEpochMilli() == look.since());
        if (found.isEmpty()) {
            return;
        }
        OpenTask task = found.get();
        boolean cancels = isStopped(task, inForce());
        if (!cancels && !task.waits()) {
            return;
        }
        boolean answered = asked(task, cancels ? TaskQuery.toCancel(task.taskId()) : TaskQuery.toRead(task.taskId()));
        if (task.waits() || !answered && look.number() < MAX_REPEATS) {
            queue.look(look.next());
        }
    }

    private Set<StopScope> inForce() {
        return stops.seen().stops().stream().map(stop -> stop.scope()).collect(Collectors.toSet());
    }

    private static boolean isStopped(OpenTask task, Set<StopScope> inForce) {
        return task.scopes().stream().anyMatch(inForce::contains);
    }

    /** Returns whether the agent does not know the task, or the task has ended. After any other error, the task may still run. */
    private static boolean saysThatTaskEnded(CallResult result) {
        return result.failure().filter(failure -> failure.isRpcError()).isPresent()
                && !result.returned().isEmpty()
                && A2aAnswer.endsTask(Json.stored(result.returned()));
    }

    /** Sends a query to the agent of a task, and notes the answer. Returns whether the agent answered, or is unknown. */
    private boolean asked(OpenTask task, TaskQuery query) {
        try {
            // A block holds for questions of the gateway, too. A cancellation is for the agent's end.
            Optional<Admitted> agent = query.cancels()
                    ? admission.reachable(task.agentId())
                    : Optional.of(admission.admit(task.agentId()));
            if (agent.isEmpty()) {
                return true;
            }
            String requestId = IdempotencyRecords.newReceiptId();
            CallResult result = calls.call(
                    agent.get(),
                    calls.resolve(agent.get(), TIMEOUT),
                    version -> A2aRequest.task(version, query, requestId),
                    TraceContext.NONE,
                    TIMEOUT);
            if (result.succeeded()) {
                tasks.seen(agent.get().stored(), Json.stored(result.returned()));
            } else if (saysThatTaskEnded(result)) {
                tasks.forget(task);
                return true;
            }
            log.info(
                    query.cancels() ? "task_cancelled" : "task_read",
                    Map.of("agent_id", task.agentId(), "succeeded", result.succeeded()));
            return result.succeeded();
        } catch (CallFailedException e) {
            log.warn(
                    query.cancels() ? "task_not_cancelled" : "task_not_read",
                    Map.of("agent_id", task.agentId(), "reason", e.reason().wireName()));
        } catch (RuntimeException e) {
            log.failure(query.cancels() ? "task_not_cancelled" : "task_not_read", task.agentId(), e);
        }
        return false;
    }
}
