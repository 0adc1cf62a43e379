package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.trust.Invocation;
import java.util.Map;

/**
 * Records how invocations ended: in their receipts, in the figures of trust, in the health of their agents. However late it is: an agent was
 * called, and nobody could tell later what came of it. Thread-safe.
 */
final class InvocationRecords {

    private final ReceiptStore receipts;
    private final InvocationOutcomes outcomes;
    private final StorageMeter meter;
    private final Log log;

    InvocationRecords(Stores stores, StorageMeter meter, Log log) {
        this.receipts = stores.receipts();
        this.outcomes = new InvocationOutcomes(stores);
        this.meter = meter;
        this.log = log;
    }

    /**
     * Records the end of a call, unless the invocation was taken for interrupted meanwhile.
     *
     * @param keepsOutput whether what the agent answered is kept with the receipt
     */
    void record(Receipt running, AgentProfile agent, CallEnd end, boolean keepsOutput) {
        meter.withoutEnd(() -> {
            if (keepsOutput && end instanceof CallEnd.Done done) {
                receipts.putOutput(running, Json.text(done.output()));
            }
            record(running, agent, end.state());
        });
    }

    private void record(Receipt running, AgentProfile agent, ReceiptState.Finished end) {
        boolean success = end instanceof ReceiptState.Succeeded;
        tell(running, end);
        Invocation invocation =
                new Invocation(running.id(), agent.agentId(), agent.providerId(), success, end.latencyMs(), end.at());
        if (!receipts.finish(running, end, invocation)) {
            log.warn("invocation_ended_late", Map.of("receipt_id", running.id(), "agent_id", agent.agentId()));
            return;
        }
        try {
            outcomes.count(running.id(), agent, end);
        } catch (RuntimeException e) {
            // Nobody has to wait for this: what is not counted now is found by its receipt.
            log.failure("outcome_not_counted", running.id(), e);
        }
    }

    private void tell(Receipt running, ReceiptState.Finished end) {
        if (end instanceof ReceiptState.Failed failed) {
            log.warn(
                    "invocation_failed",
                    Map.of(
                            "receipt_id", running.id(),
                            "agent_id", running.agentId(),
                            "kind", failed.failure().word(),
                            "latency_ms", failed.latencyMs()));
            log.metric(Metric.INVOCATION_FAILURES, 1, failed.failure().word());
        }
    }
}
