package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aCall;
import dev.agenthealth.functions.a2a.A2aRequest;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;
import java.util.List;

/** Asks agents for tasks. That is no invocation: it has no receipt, and does not count in the agent's health or reputation. Thread-safe. */
final class TaskLookups {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final AdmissionCheck admission;
    private final TaskAccess access;
    private final AgentCalls calls;
    private final CallsInFlight inFlight;

    TaskLookups(AdmissionCheck admission, TaskAccess access, AgentCalls calls, CallsInFlight inFlight) {
        this.admission = admission;
        this.access = access;
        this.calls = calls;
        this.inFlight = inFlight;
    }

    /**
     * The agent's answer, whatever it is.
     *
     * @throws Problem 404, 403, 409 or 502 if the agent may not be called; 404 if the task is not the caller's; 429 if too many calls are under
     *     way
     */
    AgentCalls.EndedCall find(Caller caller, String agentId, A2aCall.TaskQuery task, TraceContext trace) {
        AdmissionCheck.Admitted admitted =
                admission.admit(agentId).orElseThrow(reason -> InvocationProblems.of(reason, agentId));
        access.check(caller, agentId, List.of(task.taskId()));
        String requestId = IdempotencyRecords.newReceiptId();
        return inFlight.during(requestId, () -> {
            AgentCalls.Resolution resolution = calls.resolve(admitted.endpoint(), TIMEOUT);
            if (resolution.isForbidden()) {
                throw InvocationProblems.of(InvocationFailure.ENDPOINT_NOT_ALLOWED, agentId);
            }
            return calls.call(
                    resolution,
                    admitted.agent().agentInterface().a2aVersion(),
                    version -> A2aRequest.task(version, task.taskId(), task.historyLength(), requestId),
                    admitted.headers(trace),
                    TIMEOUT);
        });
    }
}
