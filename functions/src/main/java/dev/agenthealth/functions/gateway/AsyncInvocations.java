package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.ReceiptStore;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Invocations whose caller does not wait: {@code POST /v1/agents/{agent_id}/invoke-async}. Thread-safe. */
final class AsyncInvocations {

    /** Longer than all tries together may wait and take. */
    private static final Duration MESSAGE_KEPT = Receipt.LONGEST_WAIT.multipliedBy(Receipt.MOST_ATTEMPTS + 1L);

    private final Gatekeeper gatekeeper;
    private final ReceiptStore receipts;
    private final InvocationQueue queue;
    private final Log log;
    private final Clock clock;

    AsyncInvocations(Gatekeeper gatekeeper, ReceiptStore receipts, InvocationQueue queue, Log log, Clock clock) {
        this.gatekeeper = gatekeeper;
        this.receipts = receipts;
        this.queue = queue;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Accepts an invocation. Whether the agent may be called is decided now, and once more when its turn has come.
     *
     * @throws Problem 404, 403, 409 or 502 where the agent may not be called, 503 where the queue takes nothing
     */
    ObjectNode accept(Caller caller, String agentId, InvocationRequest request) {
        if (gatekeeper.admit(agentId) instanceof Admission.Refused refused) {
            throw InvocationProblems.of(refused.reason(), agentId);
        }
        Instant now = clock.instant();
        Receipt accepted = Receipt.asynchronous(ReceiptIds.next(), agentId, caller.keyId(), request.timeout(), now);
        receipts.putMessage(accepted.id(), request.message().text(), now.plus(MESSAGE_KEPT));
        receipts.create(accepted);
        send(accepted);
        ObjectNode json = Json.object();
        json.put("receipt_id", accepted.id());
        json.put("agent_id", agentId);
        json.put("status", accepted.state().word());
        return json;
    }

    private void send(Receipt accepted) {
        try {
            queue.send(accepted.id());
        } catch (RuntimeException e) {
            log.failure("invocation_not_queued", accepted.id(), e);
            // It may be in the queue all the same. Nobody is told of the receipt, so nobody must be called for it.
            receipts.abandon(accepted, new ReceiptState.Failed(clock.instant(), 0, InvocationFailure.INTERRUPTED));
            throw Problem.busy();
        }
    }
}
