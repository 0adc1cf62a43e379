package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.invocations.IdempotencyStore;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.Receipt;
import java.util.Optional;

/** Opens the receipts of invocations: one for a request, however often it comes, where its caller says by what it is recognised. Thread-safe. */
final class Openings {

    private final ReceiptStore receipts;
    private final IdempotencyStore requests;

    Openings(Stores stores) {
        this.receipts = stores.receipts();
        this.requests = stores.idempotency();
    }

    /**
     * The receipt that was opened when the request came first, as of now; empty where it has not come before.
     *
     * @throws Problem 422 where something else was asked for then
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
     * Opens a receipt, unless the same request was faster.
     *
     * @return the receipt of the faster one; empty where this one is open now
     * @throws Problem 422 where the faster one asked for something else, 503 where it was given up meanwhile
     */
    Optional<Receipt> open(Receipt receipt, IdempotentRequest request) {
        if (request.isNone()) {
            receipts.create(receipt);
            return Optional.empty();
        }
        if (requests.create(receipt, request)) {
            return Optional.empty();
        }
        return Optional.of(earlier(request).orElseThrow(Problem::busy));
    }

    /** Lets the request open another receipt when it comes again, as nothing came of this one. */
    void giveUp(Receipt receipt, IdempotentRequest request) {
        if (!request.isNone()) {
            requests.release(receipt.id(), request);
        }
    }
}
