package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Synchronous invocations: {@code POST /v1/agents/{agent_id}/invoke}. Thread-safe. */
final class SyncInvocations {

    /** Longer than the function's timeout. */
    static final Duration MAX_RUN = Duration.ofSeconds(60);

    private static final String RECEIPT_ID = "receipt_id";

    private final AdmissionCheck admission;
    private final AgentCalls calls;
    private final CallsInFlight inFlight;
    private final IdempotencyRecords idempotency;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Clock clock;

    SyncInvocations(
            AdmissionCheck admission,
            AgentCalls calls,
            CallsInFlight inFlight,
            IdempotencyRecords idempotency,
            ReceiptStore receipts,
            InvocationRecords records,
            Clock clock) {
        this.admission = admission;
        this.calls = calls;
        this.inFlight = inFlight;
        this.idempotency = idempotency;
        this.receipts = receipts;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Calls the agent, records the result and returns it. A refused invocation is not recorded. A repeated request returns the result of the
     * first one without calling the agent.
     *
     * @throws Problem 404, 403, 409 or 502 if the agent may not be called; 502 or 504, with the id of the receipt, if the call failed; 409 if
     *     the first request is still running; 429 if too many invocations are under way; 422 if the idempotency key belongs to a different request
     */
    ObjectNode invoke(InvocationRequest request) {
        String agentId = request.agentId();
        Optional<Receipt> earlier = idempotency.earlier(request.identity());
        if (earlier.isPresent()) {
            return answerAgain(earlier.get());
        }
        AdmissionCheck.Admitted admitted =
                admission.admit(agentId).orElseThrow(reason -> InvocationProblems.of(reason, agentId));
        String receiptId = IdempotencyRecords.newReceiptId();
        return inFlight.during(receiptId, () -> call(request, admitted, receiptId));
    }

    private ObjectNode call(InvocationRequest request, AdmissionCheck.Admitted admitted, String receiptId) {
        String agentId = request.agentId();
        AgentCalls.Resolution resolution = calls.resolve(admitted.endpoint(), request.timeout());
        if (resolution.isForbidden()) {
            throw InvocationProblems.of(InvocationFailure.ENDPOINT_NOT_ALLOWED, agentId);
        }
        Receipt running = Receipt.synchronous(
                        receiptId, agentId, request.caller().keyId(), request.timeout(), clock.instant(), MAX_RUN)
                .in(request.trace());
        Optional<Receipt> concurrent = idempotency.create(running, request.identity());
        if (concurrent.isPresent()) {
            return answerAgain(concurrent.get());
        }
        AgentCalls.EndedCall call = calls.call(resolution, admitted.agent().a2aVersion(), request.message(), running);
        records.record(
                running, admitted.agent(), call.state(), request.identity().isNone() ? "" : call.outputText());
        records.remember(admitted.stored(), call.version());
        JsonNode output = call.result().orElseThrow(reason -> failure(running, reason, call.error()));
        return answer(running, call.state(), output);
    }

    private ObjectNode answerAgain(Receipt earlier) {
        if (!(earlier.state() instanceof ReceiptState.Finished end)) {
            throw Problem.passingConflict(
                            "invocation_in_progress",
                            "The request with this Idempotency-Key is being answered. Repeat it after the time in"
                                    + " Retry-After.",
                            Duration.ofSeconds(1))
                    .with(RECEIPT_ID, earlier.id());
        }
        if (end instanceof ReceiptState.Failed failed) {
            // After a crash the agent's answer may be stored although the invocation counts as interrupted.
            Optional<String> error = failed.failure().isTheAgents() ? receipts.output(earlier.id()) : Optional.empty();
            throw failure(earlier, failed.failure(), error.map(Json::stored).orElseGet(Json::object));
        }
        return answer(
                earlier,
                end,
                receipts.output(earlier.id()).map(Json::stored).orElseGet(() -> JsonNodeFactory.instance.nullNode()));
    }

    private static Problem failure(Receipt receipt, InvocationFailure failure, JsonNode agentError) {
        Problem problem = InvocationProblems.of(failure, receipt.agentId()).with(RECEIPT_ID, receipt.id());
        return agentError.isEmpty() ? problem : problem.with(InvocationProblems.AGENT_ERROR, agentError);
    }

    private static ObjectNode answer(Receipt receipt, ReceiptState.Finished end, JsonNode output) {
        ObjectNode json = Json.object();
        json.put(RECEIPT_ID, receipt.id());
        json.put("agent_id", receipt.agentId());
        json.put("status", end.word());
        json.set("output", output);
        json.put("latency_ms", end.latencyMs());
        return json;
    }
}
