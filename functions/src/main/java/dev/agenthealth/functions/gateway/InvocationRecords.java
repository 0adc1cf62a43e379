package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.storage.ReceiptStore;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.trust.Invocation;
import java.util.Map;

/** Records how invocations ended: in their receipts, in the figures of trust, in the health of their agents. Thread-safe. */
final class InvocationRecords {

    private final ReceiptStore receipts;
    private final InvocationOutcomes outcomes;
    private final Log log;

    InvocationRecords(Stores stores, Log log) {
        this.receipts = stores.receipts();
        this.outcomes = new InvocationOutcomes(stores);
        this.log = log;
    }

    /** Records the end of a call, unless the invocation was taken for interrupted meanwhile. */
    void record(Receipt running, AgentProfile agent, ReceiptState.Finished end) {
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
