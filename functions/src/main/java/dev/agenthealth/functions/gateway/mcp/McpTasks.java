package dev.agenthealth.functions.gateway.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.InvocationRequest;
import dev.agenthealth.functions.gateway.InvocationTasks;
import dev.agenthealth.functions.gateway.InvocationTasks.State;
import dev.agenthealth.functions.gateway.InvocationTasks.Task;
import dev.agenthealth.functions.runtime.http.AccessError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Pause;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.identity.KeyAction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Calls of agents as tasks of MCP: as the extension {@value #EXTENSION} of 2026-07-28, and as the experimental tasks of 2025-11-25. Only the key that
 * began a task reads and cancels it. Thread-safe.
 */
final class McpTasks {

    static final String EXTENSION = McpRequest.NAMESPACE + "tasks";
    static final String TASK_ID = "taskId";

    /** The tool whose calls may become tasks. */
    static final String TOOL = "invoke_agent";

    private static final String TASK = "task";
    private static final int POLL_MILLIS = 1_000;

    /** The time for which a request waits for the end of a task. With a question to the agent, it stays below the 30 seconds of API Gateway. */
    static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final InvocationTasks tasks;
    private final Clock clock;
    private final Pause pause;

    McpTasks(InvocationTasks tasks, Wiring wiring) {
        this.tasks = tasks;
        this.clock = wiring.clock();
        this.pause = wiring.pause();
    }

    /** Puts the capability of 2025-11-25. There are no lists of tasks. */
    static void putOlderCapability(ObjectNode capabilities) {
        ObjectNode capability = capabilities.putObject("tasks");
        capability.putObject("cancel");
        capability.putObject("requests").putObject("tools").putObject("call");
    }

    /** Returns the definition of a tool, which tells clients of 2025-11-25 whether its calls may become tasks. */
    static ObjectNode described(McpRequest request, ObjectNode definition) {
        if (!request.isLatestOlder() || !definition.path("name").asText().equals(TOOL)) {
            return definition;
        }
        ObjectNode described = definition.deepCopy();
        described.putObject("execution").put("taskSupport", "optional");
        return described;
    }

    /**
     * Returns whether a call of a tool becomes a task. With 2025-11-25, the client asks for it. With 2026-07-28, it becomes a task if the client declares
     * the extension, unless its timeout is as short as a call without a task may take.
     *
     * @throws McpError if the tool has no tasks, or only a task can take as long as the timeout
     */
    boolean isTask(McpRequest request, String tool, JsonNode arguments) {
        if (request.isLatestOlder() && request.params().has(TASK)) {
            if (!tool.equals(TOOL)) {
                throw McpError.of(McpError.METHOD_NOT_FOUND, "Calls of this tool do not become tasks.");
            }
            if (!request.params().path(TASK).isObject()) {
                throw McpError.malformed(McpError.INVALID_PARAMS, "params.task must be an object.");
            }
            return true;
        }
        if (!request.modern() || !tool.equals(TOOL)) {
            return false;
        }
        JsonNode timeout = arguments.path("timeout_ms");
        boolean isLong = timeout.isIntegralNumber()
                && timeout.bigIntegerValue().signum() > 0
                && (!timeout.canConvertToInt() || timeout.intValue() > InvocationRequest.MAX_SYNC_MILLIS);
        if (isLong) {
            requireExtension(request);
        }
        return isLong || !timeout.isIntegralNumber() && request.declares(EXTENSION);
    }

    private static void requireExtension(McpRequest request) {
        if (!request.declares(EXTENSION)) {
            ObjectNode data = Json.object();
            data.putObject("requiredCapabilities").putObject("extensions").putObject(EXTENSION);
            throw McpError.of(400, McpError.MISSING_CAPABILITY, "Missing required client capability", data);
        }
    }

    /**
     * Begins the task of a call.
     *
     * @throws ApiError if a call with 2026-07-28 is refused
     * @throws McpError if a call with 2025-11-25 is refused, since its result has to be a task
     */
    ObjectNode begin(ToolCall call) {
        boolean modern = call.request().modern();
        try {
            Task begun = tasks.begin(ActingTools.asTask(call));
            ObjectNode result = modern ? json(begun, true).put("resultType", TASK) : Json.object();
            if (!modern) {
                result.set(TASK, json(begun, false));
            }
            return result;
        } catch (ApiError e) {
            if (modern) {
                throw e;
            }
            throw McpError.of(
                    McpError.INVALID_PARAMS,
                    AgentTools.refusal(e).at("/content/0/text").asText());
        }
    }

    private static ObjectNode json(Task task, boolean modern) {
        ObjectNode json = Json.object()
                .put(TASK_ID, task.receipt().id())
                .put("status", status(task, modern))
                .put("createdAt", Timestamps.text(task.receipt().createdAt()))
                .put("lastUpdatedAt", Timestamps.text(task.updatedAt()))
                .put(modern ? "ttlMs" : "ttl", Receipt.RETENTION.toMillis())
                .put(modern ? "pollIntervalMs" : "pollInterval", POLL_MILLIS);
        return task.note().isEmpty() ? json : json.put("statusMessage", task.note());
    }

    /** With 2026-07-28, a task failed only by an error of the protocol. A failed call of an agent is a result with {@code isError}. */
    private static String status(Task task, boolean modern) {
        State state = modern && task.state() == State.FAILED ? State.COMPLETED : task.state();
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode outcome(Task task) {
        try {
            return AgentTools.answer(task.outcome());
        } catch (ApiError e) {
            return AgentTools.refusal(e);
        }
    }

    /** Returns the state of a task, with its result for a client of 2026-07-28. */
    ObjectNode get(McpRequest request) {
        Task task = found(request);
        ObjectNode json = json(task, request.modern());
        if (request.modern() && task.hasEnded() && task.state() != State.CANCELLED) {
            json.set("result", outcome(task).put("resultType", "complete"));
        }
        return json;
    }

    /**
     * Returns the result of a task for a client of 2025-11-25. Waits for the end of the task for at most {@link #MAX_WAIT}.
     *
     * @throws McpError if the task has not ended then
     */
    ObjectNode result(McpRequest request) {
        Instant end = clock.instant().plus(MAX_WAIT);
        Task task = found(request);
        while (!task.hasEnded() && clock.instant().isBefore(end)) {
            pause.of(Duration.ofMillis(POLL_MILLIS));
            task = found(request);
        }
        if (!task.hasEnded()) {
            throw McpError.of(
                    McpError.INTERNAL_ERROR, "The task still works. Ask for its state with tasks/get until it ends.");
        }
        ObjectNode result = outcome(task);
        result.putObject(McpRequest.META)
                .putObject(McpRequest.NAMESPACE + "related-task")
                .put(TASK_ID, task.receipt().id());
        return result;
    }

    /**
     * Cancels a task. A client of 2026-07-28 reads the result with {@code tasks/get}.
     *
     * @throws McpError for a client of 2025-11-25, if the task has ended or goes on
     */
    ObjectNode cancel(McpRequest request) {
        requireTasks(request);
        if (!request.http().caller().limits().allows(KeyAction.INVOKE)) {
            throw AccessError.actionNotAllowed(KeyAction.INVOKE);
        }
        InvocationTasks.Cancellation cancellation =
                tasks.cancel(request.http().caller(), request.text(TASK_ID)).orElseThrow(McpTasks::unknown);
        if (request.modern()) {
            return Json.object();
        }
        if (cancellation.tooLate()) {
            throw McpError.of(McpError.INVALID_PARAMS, "The task has ended and cannot be cancelled.");
        }
        Task after = cancellation.task();
        if (after.state() != State.CANCELLED) {
            throw McpError.of(McpError.INTERNAL_ERROR, "The agent did not cancel its task. " + after.note());
        }
        return json(after, false);
    }

    /** Takes no answer of a client, as no task asks its client for one. */
    ObjectNode update(McpRequest request) {
        found(request);
        return Json.object();
    }

    private Task found(McpRequest request) {
        requireTasks(request);
        return tasks.find(request.http().caller(), request.text(TASK_ID)).orElseThrow(McpTasks::unknown);
    }

    private static McpError unknown() {
        return McpError.of(McpError.INVALID_PARAMS, "This key began no such task, or the task has expired.");
    }

    private static void requireTasks(McpRequest request) {
        if (request.modern()) {
            requireExtension(request);
        } else if (!request.isLatestOlder()) {
            throw McpError.of(McpError.METHOD_NOT_FOUND, "Method not found: " + McpError.shown(request.method()));
        }
    }
}
