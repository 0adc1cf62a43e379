package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.gateway.ReceiptState.Failed;
import dev.agenthealth.model.gateway.ReceiptState.Finished;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.List;

/**
 * Counts the outcomes of invocations in the health of their agents. Each counts once, however often it is counted, because the receipt names
 * it. Thread-safe.
 */
final class InvocationOutcomes {

    /** The gateway is one. */
    private static final String THE_GATEWAY = "";

    private final AgentStore agents;
    private final OutcomeStore outcomes;
    private final ReceiptStore receipts;

    InvocationOutcomes(Stores stores) {
        this.agents = stores.agents();
        this.outcomes = stores.outcomes();
        this.receipts = stores.receipts();
    }

    /** Counts the end of an invocation, and notes that it is counted. */
    void count(String receiptId, AgentProfile agent, Finished end) {
        outcomes.count(
                new OutcomeBatch(agent.agentId(), OutcomeSource.GATEWAY, THE_GATEWAY, receiptId, List.of(outcome(end))),
                agent);
        receipts.settle(receiptId);
    }

    /** The same for an agent of which only the id is known, if it is still known to the registry. */
    void count(String receiptId, String agentId, Finished end) {
        agents.profile(agentId).ifPresent(agent -> count(receiptId, agent, end));
        receipts.settle(receiptId);
    }

    private static Outcome outcome(Finished end) {
        if (end instanceof ReceiptState.Succeeded) {
            return new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, end.latencyMs(), end.at(), false);
        }
        Failed failed = (Failed) end;
        // Of an agent that was not reached, the time says how soon that was found out, and nothing of how fast it
        // works.
        double latency = failed.failure().isSafeToRepeat() ? Outcome.NO_LATENCY : failed.latencyMs();
        return new Outcome(OutcomeResult.FAILURE, failed.failure().errorType(), latency, failed.at(), false);
    }
}
