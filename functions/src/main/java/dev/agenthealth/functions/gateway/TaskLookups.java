package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aCall;
import dev.agenthealth.functions.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;
import java.util.List;

/** Asks agents for tasks. That is no invocation: it has no receipt, and does not count in the agent's health or reputation. Thread-safe. */
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
     * The agent's answer, whatever it is.
     *
     * @throws Problem 404, 403, 409 or 502 if the agent may not be called; 404 if the task is not the caller's; 429 if the caller makes too many calls, or too many are under
     *     way; 503 if the agent is unresponsive
     */
    CallResult find(Caller caller, String agentId, A2aCall.TaskQuery task, TraceContext trace) {
        rate.take(caller);
        Admitted agent = AdmissionCheck.orProblem(agentId, () -> admission.admit(agentId));
        access.check(caller, agentId, List.of(task.taskId()));
        String requestId = IdempotencyRecords.newReceiptId();
        return concurrency.during(
                caller,
                agent,
                requestId,
                () -> calls.call(
                        agent,
                        AdmissionCheck.orProblem(agentId, () -> calls.resolve(agent, TIMEOUT)),
                        version -> A2aRequest.task(version, task.taskId(), task.historyLength(), requestId),
                        trace,
                        TIMEOUT));
    }
}
