package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Asynchronous invocations. Thread-safe. */
final class AsyncInvocations {

    /** The retention of a message. It is longer than all attempts together may wait and take. */
    private static final Duration MESSAGE_KEPT = Receipt.MAX_WAIT.multipliedBy(Receipt.MAX_ATTEMPTS + 1L);

    private final CallGuard guard;
    private final IdempotencyRecords idempotency;
    private final ReceiptStore receipts;
    private final InvocationQueue queue;
    private final Log log;
    private final Clock clock;

    AsyncInvocations(
            CallGuard guard,
            IdempotencyRecords idempotency,
            ReceiptStore receipts,
            InvocationQueue queue,
            Log log,
            Clock clock) {
        this.guard = guard;
        this.idempotency = idempotency;
        this.receipts = receipts;
        this.queue = queue;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Accepts an invocation. It checks whether the agent may be called now, and the worker checks again before the call. A repeated request returns
     * the receipt of the first one.
     *
     * @throws ApiError 404, 403, 409 or 502 if the agent may not be called, 404 if a task belongs to another caller, 422 if the idempotency key
     *     belongs to a different request, 429 if the caller makes too many invocations, 503 if the queue does not accept the message
     */
    ObjectNode accept(InvocationRequest request) {
        return answer(accepted(request));
    }

    /**
     * Accepts an invocation, and returns its receipt.
     *
     * @throws ApiError as {@link #accept}
     */
    Receipt accepted(InvocationRequest request) {
        guard.takeRate(request.caller());
        String agentId = request.agentId();
        Optional<Receipt> earlier = idempotency.earlier(request.identity());
        if (earlier.isPresent()) {
            return acceptAgain(earlier.get());
        }
        Admitted agent =
                guard.admit(request.caller(), agentId, request.message().taskIds());
        Instant now = clock.instant();
        Receipt waiting = Receipt.asynchronous(
                        IdempotencyRecords.newReceiptId(),
                        agentId,
                        request.caller().keyId(),
                        request.timeout(),
                        request.trace(),
                        now)
                .ofVersion(agent.version());
        Receipt accepted = request.options().waits() ? waiting : waiting.early();
        receipts.putMessage(accepted.id(), request.message().text(), now.plus(MESSAGE_KEPT));
        Optional<Receipt> concurrent = idempotency.create(accepted, request.identity());
        if (concurrent.isPresent()) {
            return acceptAgain(concurrent.get());
        }
        send(accepted, request.identity());
        return accepted;
    }

    private Receipt acceptAgain(Receipt earlier) {
        if (earlier.state() == ReceiptState.ACCEPTED && earlier.attempt() == 1) {
            // The first request may have stopped before it sent the message. The worker drops a duplicate.
            queue(earlier);
        }
        return earlier;
    }

    private static ObjectNode answer(Receipt receipt) {
        ObjectNode json = Json.object();
        json.put("receipt_id", receipt.id());
        json.put("agent_id", receipt.agentId());
        ReceiptLookup.putVersion(json, receipt);
        json.put("status", receipt.state().wireName());
        return json;
    }

    private void send(Receipt accepted, IdempotentRequest identity) {
        try {
            queue(accepted);
        } catch (ApiError e) {
            // The message may be in the queue nevertheless. The caller gets no receipt, so the agent must not be
            // called.
            CallResult interrupted = CallResult.failure(InvocationFailure.INTERRUPTED, clock.instant(), 0);
            if (receipts.abandon(accepted, interrupted)) {
                idempotency.release(accepted, identity);
            }
            throw e;
        }
    }

    private void queue(Receipt accepted) {
        try {
            queue.send(accepted.id());
        } catch (RuntimeException e) {
            log.failure("invocation_not_queued", accepted.id(), e);
            throw ApiError.busy();
        }
    }
}
