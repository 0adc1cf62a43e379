package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.Destination;
import dev.agenthealth.functions.storage.ReceiptStore;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Invocations whose caller waits: {@code POST /v1/agents/{agent_id}/invoke}. Thread-safe. */
final class SyncInvocations {

    /** Longer than the function may run. */
    static final Duration LONGEST_RUN = Duration.ofSeconds(60);

    private final Gatekeeper gatekeeper;
    private final AddressCheck addresses;
    private final AgentCalls calls;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Clock clock;

    SyncInvocations(
            Gatekeeper gatekeeper,
            AddressCheck addresses,
            AgentCalls calls,
            ReceiptStore receipts,
            InvocationRecords records,
            Clock clock) {
        this.gatekeeper = gatekeeper;
        this.addresses = addresses;
        this.calls = calls;
        this.receipts = receipts;
        this.records = records;
        this.clock = clock;
    }

    /**
     * Calls the agent and tells what came of it, once that is recorded. A refused invocation calls nobody and records nothing.
     *
     * @throws Problem 404, 403, 409 or 502 where the agent may not be called; 502 or 504, with the id of the receipt, where it failed
     */
    ObjectNode invoke(Caller caller, String agentId, InvocationRequest request) {
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
                ReceiptIds.next(), agentId, caller.keyId(), request.timeout(), clock.instant(), LONGEST_RUN);
        receipts.create(running);
        CallEnd end = calls.call(
                to, resolution, admitted.agent().a2aVersion(), request.message(), running.id(), request.timeout());
        records.record(running, admitted.agent(), end.state());
        return answer(running, end);
    }

    private static ObjectNode answer(Receipt receipt, CallEnd end) {
        if (end instanceof CallEnd.NotDone failed) {
            throw InvocationProblems.of(failed.failure(), receipt.agentId()).with("receipt_id", receipt.id());
        }
        ObjectNode json = Json.object();
        json.put("receipt_id", receipt.id());
        json.put("agent_id", receipt.agentId());
        json.put("status", end.state().word());
        json.set("output", ((CallEnd.Done) end).output());
        json.put("latency_ms", end.state().latencyMs());
        return json;
    }
}
