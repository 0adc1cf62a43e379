package dev.agenthealth.functions.gateway;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.invocations.IdempotencyStore;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.FieldError;
import dev.agenthealth.model.gateway.IdempotencyKey;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.identity.Sha256;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Creates the receipts of invocations: one receipt per request, even if the request is repeated with its {@code Idempotency-Key}. Thread-safe. */
final class IdempotencyRecords {

    private static final String HEADER = "Idempotency-Key";

    private final ReceiptStore receipts;
    private final IdempotencyStore requests;

    IdempotencyRecords(ReceiptStore receipts, IdempotencyStore requests) {
        this.receipts = receipts;
        this.requests = requests;
    }

    /**
     * Identifies a request by the caller's key, the agent, the operation and the idempotency key; {@code NONE} without an idempotency key.
     *
     * @param key the value of the {@code Idempotency-Key} header
     * @param content a text that is equal for equal requests
     * @throws ApiError 400 if the header is invalid
     */
    static IdempotentRequest identify(
            Caller caller, String agentId, String operation, Optional<String> key, String content, Duration timeout) {
        if (key.isEmpty()) {
            return IdempotentRequest.NONE;
        }
        IdempotencyKey valid = IdempotencyKey.ofHeader(key.get())
                .orElseThrow(() -> ApiError.invalid(List.of(new FieldError(HEADER, IdempotencyKey.RULE))));
        return new IdempotentRequest(
                hash(caller.keyId(), agentId, operation, valid.text()),
                hash(content, Long.toString(timeout.toMillis())));
    }

    /** Records an invalid header as an error of the body, so that one answer names both. */
    static void refuseInvalid(Optional<String> key, Fields body) {
        if (key.filter(text -> IdempotencyKey.ofHeader(text).isEmpty()).isPresent()) {
            body.refuse(HEADER, IdempotencyKey.RULE);
        }
    }

    /**
     * Returns the current receipt of the first request with the same idempotency key; empty if this request is the first.
     *
     * @throws ApiError 422 if the first request was a different one
     */
    Optional<Receipt> earlier(IdempotentRequest request) {
        if (request.isNone()) {
            return Optional.empty();
        }
        return requests.earlier(request).flatMap(earlier -> {
            if (!earlier.fingerprint().equals(request.fingerprint())) {
                throw ApiError.unprocessable(
                        "idempotency_key_reused",
                        "The Idempotency-Key belongs to an earlier request that asked this agent for something else.");
            }
            Optional<Receipt> receipt = receipts.find(earlier.receiptId());
            if (receipt.isEmpty()) {
                // The receipt was erased together with its agent.
                requests.release(earlier.receiptId(), request);
            }
            return receipt;
        });
    }

    /** Returns an id that cannot be guessed. */
    static String newReceiptId() {
        return "rcpt_" + UlidCreator.getUlid();
    }

    /**
     * Creates a receipt, unless a concurrent request with the same idempotency key has created one.
     *
     * @return the receipt of the concurrent request; empty if this one was created
     * @throws ApiError 422 if the concurrent request was a different one, 503 if its receipt was released meanwhile
     */
    Optional<Receipt> create(Receipt receipt, IdempotentRequest request) {
        if (request.isNone()) {
            receipts.create(receipt);
            return Optional.empty();
        }
        if (requests.create(receipt, request)) {
            return Optional.empty();
        }
        return Optional.of(earlier(request).orElseThrow(ApiError::busy));
    }

    /** Releases the idempotency key, so that a repeated request creates a new receipt. */
    void release(Receipt receipt, IdempotentRequest request) {
        if (!request.isNone()) {
            requests.release(receipt.id(), request);
        }
    }

    private static String hash(String... parts) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(List.of(parts)));
    }
}
