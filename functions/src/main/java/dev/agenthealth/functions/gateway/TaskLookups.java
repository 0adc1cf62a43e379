package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aRequest;
import dev.agenthealth.functions.a2a.TaskQuery;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.profile.A2aVersion;
import dev.agenthealth.model.profile.AgentProfile;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Asks agents for tasks and cards, and cancels tasks. That is no invocation: it has no receipt, and does not count in the agent's health or
 * reputation. Thread-safe.
 */
final class TaskLookups {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final InvocationRate rate;
    private final AdmissionCheck admission;
    private final TaskAccess access;
    private final AgentCalls calls;
    private final CallConcurrency concurrency;

    TaskLookups(
            InvocationRate rate,
            AdmissionCheck admission,
            TaskAccess access,
            AgentCalls calls,
            CallConcurrency concurrency) {
        this.rate = rate;
        this.admission = admission;
        this.access = access;
        this.calls = calls;
        this.concurrency = concurrency;
    }

    /**
     * The agent's answer to a question about a task, whatever it is.
     *
     * @throws Problem as {@link #ask}; 404 if the task is not the caller's
     */
    CallResult find(Caller caller, String agentId, TaskQuery task, TraceContext trace) {
        return ask(
                        caller,
                        agentId,
                        agent -> access.check(caller, agentId, List.of(task.taskId())),
                        (version, requestId) -> A2aRequest.task(version, task, requestId),
                        trace)
                .result();
    }

    /** The answer of an agent, whatever it is. */
    record Asked(AgentProfile agent, CallResult result) {}

    /**
     * The agent's answer to a request, whatever it is.
     *
     * @param check refuses what the caller may not ask of an agent that may be called
     * @param question the request in each version, with its id
     * @throws Problem 404, 403, 409 or 502 if the agent may not be called; 429 if the caller makes too many calls, or too many are under way; 503 if
     *     the agent is unresponsive
     */
    Asked ask(
            Caller caller,
            String agentId,
            Consumer<Admitted> check,
            BiFunction<A2aVersion, String, A2aRequest> question,
            TraceContext trace) {
        rate.take(caller);
        Admitted agent = AdmissionCheck.orProblem(agentId, () -> admission.admit(agentId));
        check.accept(agent);
        String requestId = IdempotencyRecords.newReceiptId();
        CallResult result = concurrency.during(
                caller,
                agent,
                requestId,
                () -> calls.call(
                        agent,
                        AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, TIMEOUT)),
                        version -> question.apply(version, requestId),
                        trace,
                        TIMEOUT));
        return new Asked(agent.agent(), result);
    }
}
