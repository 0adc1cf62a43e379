package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState.Failed;
import dev.agenthealth.model.gateway.ReceiptState.Finished;
import dev.agenthealth.model.gateway.ReceiptState.Succeeded;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.A2aVersion;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.Invocation;
import java.util.List;
import java.util.Map;

/** Records how invocations ended: in their receipts, in the trust records, and in the health of their agents. Thread-safe. */
final class InvocationRecords {

    /** The one reporter of the gateway's outcomes. */
    private static final String GATEWAY = "";

    private final AgentStore agents;
    private final OutcomeStore outcomes;
    private final ReceiptStore receipts;
    private final TaskAccess tasks;
    private final StorageMeter meter;
    private final Log log;

    InvocationRecords(Stores stores, StorageMeter meter, Log log) {
        this.agents = stores.agents();
        this.outcomes = stores.outcomes();
        this.receipts = stores.receipts();
        this.tasks = new TaskAccess(stores.taskAccess());
        this.meter = meter;
        this.log = log;
    }

    /**
     * Records the end of a call, unless the receipt was marked as interrupted meanwhile. It does so even after the request's deadline: the
     * agent was called, and the result is known only here.
     *
     * @param keepsOutput whether the agent's answer is kept with the receipt
     */
    void record(Receipt running, AgentProfile agent, AgentCalls.EndedCall call, boolean keepsOutput) {
        meter.withoutDeadline(() -> {
            JsonNode returned = call.returned();
            tasks.allow(running, returned);
            if (keepsOutput && !returned.isEmpty()) {
                receipts.putOutput(running, Json.text(returned));
            }
            finish(running, agent, call.state());
        });
    }

    /**
     * Remembers the version of A2A in which an agent answered, so that the next call is made in it. Does nothing where the agent changed
     * meanwhile: the next call finds out again.
     */
    void remember(StoredAgent agent, A2aVersion spoken) {
        AgentProfile profile = agent.profile();
        if (profile.agentInterface().a2aVersion() == spoken) {
            return;
        }
        try {
            Pulse after = agent.pulse().reconfigured(profile.heartbeatConfig(), profile.maxConcurrentTasks());
            agents.changeProfile(agent, after, profile.speaking(spoken));
        } catch (RuntimeException e) {
            log.failure("a2a_version_not_stored", profile.agentId(), e);
        }
    }

    private void finish(Receipt running, AgentProfile agent, Finished end) {
        if (end instanceof Failed failed) {
            logFailure(running, failed);
        }
        Expectations expected = agent.basis().expectations();
        boolean isEvidence =
                !(end instanceof Failed failed && !failed.failure().isEvidence(running.timeout(), expected));
        boolean ended = isEvidence
                ? receipts.finish(running, end, invocation(running, agent, expected, end))
                : receipts.abandon(running, end);
        if (!ended) {
            log.warn("invocation_ended_late", Map.of("receipt_id", running.id(), "agent_id", agent.agentId()));
            return;
        }
        if (!isEvidence) {
            return;
        }
        try {
            count(running.id(), agent, end);
            receipts.settle(running.id());
        } catch (RuntimeException e) {
            // The repair of receipts counts it later, so the caller need not wait.
            log.failure("outcome_not_counted", running.id(), e);
        }
    }

    private static Invocation invocation(Receipt running, AgentProfile agent, Expectations expected, Finished end) {
        return new Invocation(
                running.id(),
                agent.agentId(),
                agent.description().providerId(),
                end instanceof Succeeded,
                end.latencyMs(),
                expected.latencyLimitMs().orElse(Call.NO_LIMIT),
                end.at());
    }

    private void logFailure(Receipt running, Failed failed) {
        log.warn(
                "invocation_failed",
                Map.of(
                        "receipt_id", running.id(),
                        "agent_id", running.agentId(),
                        "kind", failed.failure().wireName(),
                        "latency_ms", failed.latencyMs()));
        log.metric(Metric.INVOCATION_FAILURES, 1, failed.failure().wireName());
    }

    /** Counts the end of an invocation in the health of its agent, once per receipt, and marks it as counted. */
    void count(String receiptId, String agentId, Finished end) {
        agents.profile(agentId).ifPresent(agent -> count(receiptId, agent, end));
        receipts.settle(receiptId);
    }

    private void count(String receiptId, AgentProfile agent, Finished end) {
        outcomes.count(
                new OutcomeBatch(agent.agentId(), OutcomeSource.GATEWAY, GATEWAY, receiptId, List.of(outcome(end))),
                agent);
    }

    private static Outcome outcome(Finished end) {
        if (end instanceof Failed failed) {
            // The time until an agent proved unreachable says nothing about its speed.
            double latency = failed.failure().isSafeToRepeat() ? Outcome.NO_LATENCY : failed.latencyMs();
            return new Outcome(OutcomeResult.FAILURE, failed.failure().errorType(), latency, failed.at(), false);
        }
        return new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, end.latencyMs(), end.at(), false);
    }
}
