package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.invocations.IdempotencyStore;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.Receipt;
import java.util.Optional;

/** Creates the receipts of invocations: one per request, even if the request is repeated with its idempotency key. Thread-safe. */
final class IdempotencyRecords {

    private final ReceiptStore receipts;
    private final IdempotencyStore requests;

    IdempotencyRecords(Stores stores) {
        this.receipts = stores.receipts();
        this.requests = stores.idempotency();
    }

    /**
     * The receipt of the first request with the same idempotency key, as of now; empty if this is the first.
     *
     * @throws Problem 422 if the first request was a different one
     */
    Optional<Receipt> earlier(IdempotentRequest request) {
        if (request.isNone()) {
            return Optional.empty();
        }
        return requests.earlier(request).flatMap(earlier -> {
            if (!earlier.fingerprint().equals(request.fingerprint())) {
                throw Problem.unprocessable(
                        "idempotency_key_reused",
                        "The Idempotency-Key belongs to an earlier request that asked this agent for something else.");
            }
            Optional<Receipt> receipt = receipts.find(earlier.receiptId());
            if (receipt.isEmpty()) {
                // It was erased with the agent.
                requests.release(earlier.receiptId(), request);
            }
            return receipt;
        });
    }

    /**
     * Creates a receipt, unless a concurrent request with the same idempotency key did.
     *
     * @return the receipt of the concurrent request; empty if this one was created
     * @throws Problem 422 if the concurrent request was a different one, 503 if its receipt was released meanwhile
     */
    Optional<Receipt> create(Receipt receipt, IdempotentRequest request) {
        if (request.isNone()) {
            receipts.create(receipt);
            return Optional.empty();
        }
        if (requests.create(receipt, request)) {
            return Optional.empty();
        }
        return Optional.of(earlier(request).orElseThrow(Problem::busy));
    }

    /** Releases the idempotency key, so that a repeated request creates a new receipt. */
    void release(Receipt receipt, IdempotentRequest request) {
        if (!request.isNone()) {
            requests.release(receipt.id(), request);
        }
    }
}
