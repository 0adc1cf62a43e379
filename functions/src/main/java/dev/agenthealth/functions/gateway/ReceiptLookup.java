package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.identity.Caller;
import java.util.Optional;

/** Shows receipts to their callers: {@code GET /v1/receipts/{receipt_id}}. Thread-safe. */
final class ReceiptLookup {

    private static final String OUTPUT = "output";

    private final ReceiptStore store;

    ReceiptLookup(ReceiptStore store) {
        this.store = store;
    }

    /**
     * Returns the receipt, with the agent's answer if it was kept.
     *
     * @throws ApiError 404 if it does not exist or has expired, 403 if it belongs to another caller
     */
    ObjectNode show(Caller caller, String receiptId) {
        Receipt receipt = store.find(receiptId)
                .orElseThrow(() -> ApiError.notFound(
                        "receipt_not_found",
                        "There is no receipt '" + receiptId + "'; receipts are kept for " + Receipt.RETENTION.toHours()
                                + " hours."));
        if (!caller.isAdministrator() && !caller.keyId().equals(receipt.keyId())) {
            throw ApiError.forbidden("Only the key that made the invocation and administrators may read its receipt.");
        }
        return json(receipt);
    }

    /** Puts the version of the called agent, if the agent declared one. */
    static void putVersion(ObjectNode json, Receipt receipt) {
        if (!receipt.agentVersion().isEmpty()) {
            json.put("agent_version", receipt.agentVersion());
        }
    }

    private ObjectNode json(Receipt receipt) {
        ObjectNode json = Json.object();
        json.put("receipt_id", receipt.id());
        json.put("agent_id", receipt.agentId());
        putVersion(json, receipt);
        json.put("mode", receipt.asynchronous() ? "async" : "sync");
        json.put("status", receipt.state().wireName());
        json.put("attempts", receipt.attempt());
        json.put("created_at", Timestamps.text(receipt.createdAt()));
        json.putNull("finished_at")
                .putNull("latency_ms")
                .putNull(OUTPUT)
                .putNull("error")
                .putNull("detail");
        json.put("trace_id", receipt.trace().isNone() ? null : receipt.trace().traceId());
        json.put("expires_at", Timestamps.text(receipt.expiresAt()));
        receipt.result().ifPresent(result -> putResult(json, receipt.id(), result));
        return json;
    }

    private void putResult(ObjectNode json, String receiptId, CallResult result) {
        json.put("finished_at", Timestamps.text(result.at()));
        Optional<InvocationFailure> failure = result.failure();
        failure.ifPresent(reason -> json.put("error", reason.error()).put("detail", InvocationErrors.detail(reason)));
        if (failure.map(InvocationFailure::isTheAgents).orElse(true)) {
            json.put("latency_ms", result.latencyMs());
            String name = failure.map(InvocationFailure::isTask).orElse(true) ? OUTPUT : InvocationErrors.AGENT_ERROR;
            store.output(receiptId).ifPresent(returned -> json.set(name, Json.stored(returned)));
        }
    }
}
