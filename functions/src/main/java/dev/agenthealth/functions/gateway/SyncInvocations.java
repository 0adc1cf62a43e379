package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.a2a.A2aRequest;
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
    private final TaskAccess access;
    private final AgentCalls calls;
    private final CallsInFlight inFlight;
    private final IdempotencyRecords idempotency;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Clock clock;

    SyncInvocations(
            AdmissionCheck admission,
            TaskAccess access,
            AgentCalls calls,
            CallsInFlight inFlight,
            IdempotencyRecords idempotency,
            ReceiptStore receipts,
            InvocationRecords records,
            Clock clock) {
        this.admission = admission;
        this.access = access;
        this.calls = calls;
        this.inFlight = inFlight;
        this.idempotency = idempotency;
        this.receipts = receipts;
        this.records = records;
        this.clock = clock;
    }

    /**
     * An invocation that has ended.
     *
     * @param said what the agent returned: its answer, its own error, or the task that failed; null where that is not known
     */
    record Ended(Receipt receipt, ReceiptState.Finished end, JsonNode said) {}

    /**
     * Calls the agent, records the result and returns it. A refused invocation is not recorded. A repeated request returns the result of the
     * first one without calling the agent.
     *
     * @throws Problem as {@link #run}; 502 or 504, with the id of the receipt, if the call failed
     */
    ObjectNode invoke(InvocationRequest request) {
        Ended ended = run(request);
        if (ended.end() instanceof ReceiptState.Failed failed) {
            Problem problem = InvocationProblems.of(failed.failure(), request.agentId())
                    .with(RECEIPT_ID, ended.receipt().id());
            boolean hasError = failed.failure() == InvocationFailure.RPC_ERROR
                    && !ended.said().isEmpty();
            throw hasError ? problem.with(InvocationProblems.AGENT_ERROR, ended.said()) : problem;
        }
        ObjectNode json = Json.object();
        json.put(RECEIPT_ID, ended.receipt().id());
        json.put("agent_id", request.agentId());
        json.put("status", ended.end().wireName());
        json.set("output", ended.said());
        json.put("latency_ms", ended.end().latencyMs());
        return json;
    }

    /**
     * The invocation, once it has ended.
     *
     * @throws Problem 404, 403, 409 or 502 if the agent may not be called; 404 if a task is not the caller's; 409 if the first request is
     *     still running; 429 if too many invocations are under way; 422 if the idempotency key belongs to a different request
     */
    Ended run(InvocationRequest request) {
        String agentId = request.agentId();
        Optional<Receipt> earlier = idempotency.earlier(request.identity());
        if (earlier.isPresent()) {
            return endedEarlier(earlier.get());
        }
        AdmissionCheck.Admitted admitted =
                admission.admit(agentId).orElseThrow(reason -> InvocationProblems.of(reason, agentId));
        access.check(request.caller(), agentId, request.message().taskIds());
        String receiptId = IdempotencyRecords.newReceiptId();
        return inFlight.during(receiptId, () -> call(request, admitted, receiptId));
    }

    private Ended call(InvocationRequest request, AdmissionCheck.Admitted admitted, String receiptId) {
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
            return endedEarlier(concurrent.get());
        }
        AgentCalls.EndedCall call = calls.call(
                resolution,
                admitted.agent().agentInterface().a2aVersion(),
                version -> A2aRequest.send(version, request.message(), request.options(), receiptId),
                admitted.headers(request.trace()),
                request.timeout());
        records.record(running, admitted.agent(), call, !request.identity().isNone());
        records.remember(admitted.stored(), call.version());
        return new Ended(running, call.state(), call.returned());
    }

    private Ended endedEarlier(Receipt earlier) {
        if (!(earlier.state() instanceof ReceiptState.Finished end)) {
            throw Problem.passingConflict(
                            "invocation_in_progress",
                            "The request with this Idempotency-Key is being answered. Repeat it after the time in"
                                    + " Retry-After.",
                            Duration.ofSeconds(1))
                    .with(RECEIPT_ID, earlier.id());
        }
        // After a crash the agent's answer may be stored although the invocation counts as interrupted.
        boolean unknown =
                end instanceof ReceiptState.Failed failed && !failed.failure().isTheAgents();
        Optional<String> said = unknown ? Optional.empty() : receipts.output(earlier.id());
        return new Ended(earlier, end, said.map(Json::stored).orElseGet(() -> JsonNodeFactory.instance.nullNode()));
    }
}
