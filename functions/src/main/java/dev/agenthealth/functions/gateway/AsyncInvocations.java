package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Invocations whose caller does not wait: {@code POST /v1/agents/{agent_id}/invoke-async}. Thread-safe. */
final class AsyncInvocations {

    /** Longer than all tries together may wait and take. */
    private static final Duration MESSAGE_KEPT = Receipt.MAX_WAIT.multipliedBy(Receipt.MAX_ATTEMPTS + 1L);

    private final AdmissionCheck admission;
    private final Openings openings;
    private final ReceiptStore receipts;
    private final InvocationQueue queue;
    private final Log log;
    private final Clock clock;

    AsyncInvocations(
            AdmissionCheck admission,
            Openings openings,
            ReceiptStore receipts,
            InvocationQueue queue,
            Log log,
            Clock clock) {
        this.admission = admission;
        this.openings = openings;
        this.receipts = receipts;
        this.queue = queue;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Accepts an invocation. Whether the agent may be called is decided now, and once more when its turn has come. A request that came before
     * is told of the receipt it got then.
     *
     * @throws Problem 404, 403, 409 or 502 where the agent may not be called, 422 where the request's key belongs to another one, 503 where
     *     the queue takes nothing
     */
    ObjectNode accept(Caller caller, String agentId, InvocationRequest request, IdempotentRequest recognisedBy) {
        Optional<Receipt> earlier = openings.earlier(recognisedBy);
        if (earlier.isPresent()) {
            return acceptAgain(earlier.get());
        }
        admission.admit(agentId).orElseThrow(reason -> InvocationProblems.of(reason, agentId));
        Instant now = clock.instant();
        Receipt accepted = Receipt.asynchronous(ReceiptIds.next(), agentId, caller.keyId(), request.timeout(), now);
        receipts.putMessage(accepted.id(), request.message().text(), now.plus(MESSAGE_KEPT));
        Optional<Receipt> concurrent = openings.open(accepted, recognisedBy);
        if (concurrent.isPresent()) {
            return acceptAgain(concurrent.get());
        }
        send(accepted, recognisedBy);
        return answer(accepted);
    }

    private ObjectNode acceptAgain(Receipt earlier) {
        if (earlier.state() instanceof ReceiptState.Accepted && earlier.attempt() == 1) {
            // Whoever opened the receipt may have been stopped before the queue had it. Of two messages one is dropped.
            queue(earlier);
        }
        return answer(earlier);
    }

    private static ObjectNode answer(Receipt receipt) {
        ObjectNode json = Json.object();
        json.put("receipt_id", receipt.id());
        json.put("agent_id", receipt.agentId());
        json.put("status", receipt.state().word());
        return json;
    }

    private void send(Receipt accepted, IdempotentRequest recognisedBy) {
        try {
            queue(accepted);
        } catch (Problem e) {
            // It may be in the queue all the same. Nobody is told of the receipt, so nobody must be called for it.
            ReceiptState.Failed interrupted =
                    new ReceiptState.Failed(clock.instant(), 0, InvocationFailure.INTERRUPTED);
            if (receipts.abandon(accepted, interrupted)) {
                openings.giveUp(accepted, recognisedBy);
            }
            throw e;
        }
    }

    private void queue(Receipt accepted) {
        try {
            queue.send(accepted.id());
        } catch (RuntimeException e) {
            log.failure("invocation_not_queued", accepted.id(), e);
            throw Problem.busy();
        }
    }
}
