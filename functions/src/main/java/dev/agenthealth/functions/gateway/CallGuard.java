package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Decides whether a caller may call an agent now: the caller's rate, the agent's admission, the caller's access to tasks, and the permits of
 * concurrent calls. Thread-safe.
 *
 * <p>A service takes the rate first, then admits the agent, and then makes the call within the permits.
 */
final class CallGuard {

    private final InvocationRate rate;
    private final AdmissionCheck admission;
    private final TaskAccess access;
    private final CallConcurrency concurrency;

    CallGuard(InvocationRate rate, AdmissionCheck admission, TaskAccess access, CallConcurrency concurrency) {
        this.rate = rate;
        this.admission = admission;
        this.access = access;
        this.concurrency = concurrency;
    }

    /**
     * Takes one call from the limit of a caller.
     *
     * @throws ApiError 429 if the limit is used up
     */
    void takeRate(Caller caller) {
        rate.take(caller);
    }

    /**
     * Returns the agent if it may be called.
     *
     * @throws ApiError 404, 403, 409 or 502 if the agent may not be called
     */
    Admitted admit(String agentId) {
        return AdmissionCheck.orProblem(agentId, () -> admission.admit(agentId));
    }

    /**
     * Returns the agent if it may be called, possibly with a trial call, and the caller may use these tasks of the agent.
     *
     * @throws ApiError as {@link #admit(String)}; 404 if a task belongs to another caller
     */
    Admitted admit(Caller caller, String agentId, Collection<String> taskIds) {
        Admitted agent = AdmissionCheck.orProblem(agentId, () -> admission.admitWithTrial(agentId));
        checkAccess(caller, agentId, taskIds);
        return agent;
    }

    /**
     * Checks that a caller may use these tasks.
     *
     * @throws ApiError 404 if a task belongs to another caller
     */
    void checkAccess(Caller caller, String agentId, Collection<String> taskIds) {
        access.check(caller, agentId, taskIds);
    }

    /** Returns the tasks that a caller may use, out of these tasks. */
    Set<String> allowed(Caller caller, String agentId, Collection<String> taskIds) {
        return access.allowed(caller, agentId, taskIds);
    }

    /**
     * Makes a call within the limits of concurrent calls.
     *
     * @throws ApiError as {@link CallConcurrency#hold}
     */
    <T> T during(Caller caller, Admitted agent, String callId, Supplier<T> call) {
        return concurrency.during(caller, agent, callId, call);
    }

    /**
     * Takes the permits of a call.
     *
     * @param longest a time that no call takes
     * @throws ApiError as {@link CallConcurrency#hold}
     */
    CallConcurrency.Held hold(Caller caller, Admitted agent, String callId, Duration longest) {
        return concurrency.hold(caller, agent, callId, longest);
    }
}
