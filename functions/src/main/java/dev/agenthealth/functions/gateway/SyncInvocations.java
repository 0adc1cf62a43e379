package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.Destination;
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

/** Invocations whose caller waits: {@code POST /v1/agents/{agent_id}/invoke}. Thread-safe. */
final class SyncInvocations {

    /** Longer than the function may run. */
    static final Duration MAX_RUN = Duration.ofSeconds(60);

    private static final String RECEIPT_ID = "receipt_id";

    private final AdmissionCheck gatekeeper;
    private final AddressCheck addresses;
    private final AgentCalls calls;
    private final Openings openings;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Clock clock;

    SyncInvocations(
            AdmissionCheck gatekeeper,
            AddressCheck addresses,
            AgentCalls calls,
            Openings openings,
            ReceiptStore receipts,
            InvocationRecords records,
            Clock clock) {
        this.gatekeeper = gatekeeper;
        this.addresses = addresses;
        this.calls = calls;
        this.openings = openings;
        this.receipts = receipts;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Calls the agent and tells what came of it, once that is recorded. A refused invocation calls nobody and records nothing. A request that
     * came before calls nobody either and is told what came of it then.
     *
     * @throws Problem 404, 403, 409 or 502 where the agent may not be called; 502 or 504, with the id of the receipt, where it failed; 409
     *     where the same request is being answered; 422 where its key belongs to another one
     */
    ObjectNode invoke(Caller caller, String agentId, InvocationRequest request, IdempotentRequest recognisedBy) {
        Optional<Receipt> earlier = openings.earlier(recognisedBy);
        if (earlier.isPresent()) {
            return answerAgain(earlier.get());
        }
        Admission admission = gatekeeper.admit(agentId);
        if (admission instanceof Admission.Refused refused) {
            throw InvocationProblems.of(refused.reason(), agentId);
        }
        Admission.Admitted admitted = (Admission.Admitted) admission;
        Instant begun = clock.instant();
        Destination to = addresses.destination(admitted.endpoint(), request.timeout());
        Duration resolution = Duration.between(begun, clock.instant());
        if (to instanceof Destination.Forbidden) {
            throw InvocationProblems.of(InvocationFailure.ENDPOINT_NOT_ALLOWED, agentId);
        }
        Receipt running = Receipt.synchronous(
                ReceiptIds.next(), agentId, caller.keyId(), request.timeout(), clock.instant(), MAX_RUN);
        Optional<Receipt> faster = openings.open(running, recognisedBy);
        if (faster.isPresent()) {
            return answerAgain(faster.get());
        }
        CallEnd end = calls.call(
                to, resolution, admitted.agent().a2aVersion(), request.message(), running.id(), request.timeout());
        records.record(running, admitted.agent(), end, !recognisedBy.isNone());
        if (end instanceof CallEnd.NotDone failed) {
            throw failure(running, failed.failure());
        }
        return answer(running, end.state(), ((CallEnd.Done) end).output());
    }

    private ObjectNode answerAgain(Receipt earlier) {
        if (!(earlier.state() instanceof ReceiptState.Finished end)) {
            throw Problem.passingConflict(
                            "invocation_in_progress",
                            "The request with this Idempotency-Key is being answered. Repeat it after the time in"
                                    + " Retry-After.")
                    .with(RECEIPT_ID, earlier.id());
        }
        if (end instanceof ReceiptState.Failed failed) {
            throw failure(earlier, failed.failure());
        }
        return answer(
                earlier,
                end,
                receipts.output(earlier.id()).map(Json::stored).orElseGet(() -> JsonNodeFactory.instance.nullNode()));
    }

    private static Problem failure(Receipt receipt, InvocationFailure failure) {
        return InvocationProblems.of(failure, receipt.agentId()).with(RECEIPT_ID, receipt.id());
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
