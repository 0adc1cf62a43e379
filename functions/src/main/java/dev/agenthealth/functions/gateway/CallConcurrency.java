package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.wiring.StorageBusyException;
import dev.agenthealth.functions.storage.invocations.CallPermitStore;
import dev.agenthealth.functions.storage.invocations.CallPermitStore.Permit;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Limits the number of concurrent calls of agents: in total, with at most a quarter of it for one agent and a quarter for one caller. Thread-safe.
 *
 * <p>Each call holds an execution of the function while it waits. Without the limit, slow agents could take the whole concurrency of the account,
 * so that heartbeats fail too. An unresponsive agent gets one call at a time.
 */
final class CallConcurrency {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    private static final Duration RETRY_UNRESPONSIVE_AFTER = Duration.ofSeconds(5);

    /** The divisor of the total limit for one agent or one caller. The result is rounded up. */
    private static final int PARTS = 4;

    private final CallPermitStore permits;
    private final IntSupplier maxCalls;
    private final Log log;

    /** @param maxCalls returns the maximum number of concurrent calls */
    CallConcurrency(CallPermitStore permits, IntSupplier maxCalls, Log log) {
        this.permits = permits;
        this.maxCalls = maxCalls;
        this.log = log;
    }

    /**
     * Makes a call within the limits. If the process crashes, the permits expire after the maximum length of a call.
     *
     * @throws ApiError as {@link #hold}
     */
    <T> T during(Caller caller, AdmissionCheck.Admitted agent, String callId, Supplier<T> call) {
        Held held = hold(caller, agent, callId, SyncInvocations.MAX_RUN);
        try {
            return call.get();
        } finally {
            held.giveBack();
        }
    }

    /** The permits of a call. */
    @FunctionalInterface
    interface Held {

        void giveBack();
    }

    /**
     * Takes the permits of a call.
     *
     * @param longest a time that no call takes
     * @throws ApiError 429 if a limit is reached, 503 if the agent is unresponsive and is being called
     */
    Held hold(Caller caller, AdmissionCheck.Admitted agent, String callId, Duration longest) {
        int max = maxCalls.getAsInt();
        int part = (max + PARTS - 1) / PARTS;
        boolean unresponsive = agent.connection().isUnresponsive();
        Deque<Permit> held = new ArrayDeque<>();
        try {
            held.push(
                    take("A:" + agent.id(), callId, unresponsive ? 1 : part, unresponsive, "for this agent", longest));
            held.push(take("K:" + caller.keyId(), callId, part, false, "of this key", longest));
            held.push(take("ALL", callId, max, false, "of all keys", longest));
        } catch (RuntimeException e) {
            held.forEach(permit -> giveBack(permit, callId));
            throw e;
        }
        return () -> held.forEach(permit -> giveBack(permit, callId));
    }

    private Permit take(String group, String callId, int max, boolean unresponsive, String whose, Duration longest) {
        return permits.take(group, callId, max, longest)
                .orElseThrow(() -> unresponsive
                        ? AgentError.unresponsive(
                                "The agent did not answer its last calls in time, and is called once at a time until it answers."
                                        + " Repeat the request after the time in Retry-After.",
                                RETRY_UNRESPONSIVE_AFTER)
                        : ApiError.tooManyInFlight(
                                max + " invocations " + whose + " are under way, and no more are allowed at the same"
                                        + " time. Repeat the request after the time in Retry-After, or invoke"
                                        + " asynchronously.",
                                RETRY_AFTER));
    }

    private void giveBack(Permit permit, String callId) {
        try {
            permits.giveBack(permit);
        } catch (StorageBusyException e) {
            // The permit expires. The caller's answer must not be lost because of it.
            log.failure("call_permit_not_given_back", callId, e);
        }
    }
}
