package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.a2a.A2aAnswer;
import dev.agenthealth.functions.gateway.a2a.A2aCall;
import dev.agenthealth.functions.gateway.a2a.A2aError;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.a2a.TaskListQuery;
import dev.agenthealth.functions.gateway.a2a.TaskQuery;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Asks agents for tasks and cards, and cancels tasks. These requests are no invocations: they have no receipt, and do not count in the agent's
 * health or reputation. Thread-safe.
 */
final class TaskLookups {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** The number of tasks per request, and the maximum number of such requests for one list. */
    private static final int PAGE = 50;

    private static final int MAX_PAGES = 20;

    private final CallGuard guard;
    private final AgentCalls calls;
    private final OpenTasks open;
    private final Clock clock;

    TaskLookups(CallGuard guard, AgentCalls calls, OpenTasks open, Clock clock) {
        this.guard = guard;
        this.calls = calls;
        this.open = open;
        this.clock = clock;
    }

    /**
     * Returns the agent's answer to a question about a task, even if it is an error.
     *
     * @throws ApiError as {@link #ask}; 404 if the task belongs to another caller
     */
    CallResult find(Caller caller, String agentId, TaskQuery task, TraceContext trace) {
        return ask(
                        caller,
                        agentId,
                        agent -> guard.checkAccess(caller, agentId, List.of(task.taskId())),
                        (version, requestId) -> A2aRequest.task(version, task, requestId),
                        trace)
                .result();
    }

    /** The answer of an agent, even if it is an error. */
    record Asked(StoredAgent agent, CallResult result) {}

    /**
     * Returns the agent's answer to a request, even if it is an error.
     *
     * @param check refuses requests that the caller may not make
     * @param question returns the request in each version, with its id
     * @throws ApiError 404, 403, 409 or 502 if the agent may not be called; 429 if the caller makes too many calls, or too many calls are under
     *     way; 503 if the agent is unresponsive
     */
    Asked ask(
            Caller caller,
            String agentId,
            Consumer<Admitted> check,
            BiFunction<A2aVersion, String, A2aRequest> question,
            TraceContext trace) {
        guard.takeRate(caller);
        Admitted agent = guard.admit(agentId);
        check.accept(agent);
        String requestId = IdempotencyRecords.newReceiptId();
        CallResult result = guard.during(
                caller,
                agent,
                requestId,
                () -> calls.call(
                        agent,
                        AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, TIMEOUT)),
                        version -> question.apply(version, requestId),
                        trace,
                        TIMEOUT));
        if (result.succeeded()) {
            open.seen(agent.stored(), Json.stored(result.returned()));
        }
        return new Asked(agent.stored(), result);
    }

    /**
     * Returns the tasks of an agent that belong to a caller, the latest change first. The agent lists the tasks of all callers, so all its pages
     * are read.
     *
     * @throws A2aError if the agent does not list tasks, or has more tasks than are read
     * @throws ApiError as {@link #ask}
     */
    List<JsonNode> list(Caller caller, String agentId, TaskListQuery query, TraceContext trace) {
        guard.takeRate(caller);
        Admitted agent = guard.admit(agentId);
        String requestId = IdempotencyRecords.newReceiptId();
        return guard.during(caller, agent, requestId, () -> {
            AgentCalls.Resolution to = AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, TIMEOUT));
            Instant end = clock.instant().plus(TIMEOUT);
            List<JsonNode> found = new ArrayList<>();
            String token = "";
            for (int i = 0; i < MAX_PAGES; i++) {
                JsonNode page = page(agent, to, query, token, requestId, trace, Duration.between(clock.instant(), end));
                List<JsonNode> tasks = new ArrayList<>();
                page.path("tasks").forEach(tasks::add);
                Set<String> own = guard.allowed(
                        caller,
                        agentId,
                        tasks.stream().map(task -> task.path("id").asText()).collect(Collectors.toSet()));
                tasks.stream()
                        .filter(task -> own.contains(task.path("id").asText()))
                        .forEach(found::add);
                token = page.path("nextPageToken").asText("");
                if (token.isEmpty()) {
                    found.sort(Comparator.comparing(TaskLookups::changedAt).reversed());
                    return found;
                }
            }
            throw A2aError.of(
                    A2aError.UNSUPPORTED_OPERATION,
                    "The agent has more than " + MAX_PAGES * PAGE
                            + " such tasks, its other callers' among them. Name a contextId, a status or a"
                            + " statusTimestampAfter.",
                    "too_many_tasks");
        });
    }

    private JsonNode page(
            Admitted agent,
            AgentCalls.Resolution to,
            TaskListQuery query,
            String token,
            String requestId,
            TraceContext trace,
            Duration left) {
        CallResult result =
                calls.call(agent, to, version -> A2aRequest.list(version, query, PAGE, token, requestId), trace, left);
        if (result.succeeded()) {
            return Json.stored(result.returned());
        }
        boolean refuses = !result.returned().isEmpty() && A2aAnswer.refusesMethod(Json.stored(result.returned()));
        throw refuses ? A2aCall.unsupported("lists of tasks of this agent") : A2aFront.failure(result, "");
    }

    private static Instant changedAt(JsonNode task) {
        try {
            return Instant.parse(task.at("/status/timestamp").asText());
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }
}
