package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.dynamo.StorageBusyException;
import dev.agenthealth.functions.storage.invocations.CallSlotStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;
import dev.agenthealth.functions.storage.system.InvocationLimits;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Limits how many synchronous invocations are under way. Each holds an execution while it waits for its agent: without the limit, slow agents
 * could take the whole concurrency of the account, and heartbeats with it. Thread-safe.
 */
final class CallsInFlight {

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final CallSlotStore slots;
    private final CachedConfiguration<InvocationLimits> limits;
    private final Log log;

    CallsInFlight(CallSlotStore slots, CachedConfiguration<InvocationLimits> limits, Log log) {
        this.slots = slots;
        this.limits = limits;
        this.log = log;
    }

    /**
     * Runs a call in a slot. A slot whose call crashes expires after the time that no call can last.
     *
     * @throws Problem 429 where all slots are taken
     */
    <T> T during(String callId, Supplier<T> call) {
        int max = limits.current().maxInFlight();
        CallSlotStore.Slot slot = slots.take(callId, max, SyncInvocations.MAX_RUN)
                .orElseThrow(() -> Problem.tooManyInFlight(
                        max + " invocations are under way, and no more are allowed at the same time. Repeat the request"
                                + " after the time in Retry-After, or invoke asynchronously.",
                        RETRY_AFTER));
        try {
            return call.get();
        } finally {
            giveBack(slot, callId);
        }
    }

    private void giveBack(CallSlotStore.Slot slot, String callId) {
        try {
            slots.giveBack(slot);
        } catch (StorageBusyException e) {
            // It expires; the caller's answer must not be lost because of it.
            log.failure("call_slot_not_given_back", callId, e);
        }
    }
}
