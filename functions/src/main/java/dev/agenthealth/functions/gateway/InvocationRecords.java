package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.CallerErrorStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.outcome.ErrorType;
import dev.agenthealth.model.outcome.Outcome;
import dev.agenthealth.model.outcome.OutcomeResult;
import dev.agenthealth.model.outcome.OutcomeSource;
import dev.agenthealth.model.profile.AgentProfile;
import dev.agenthealth.model.profile.Expectations;
import dev.agenthealth.model.trust.Call;
import dev.agenthealth.model.trust.Invocation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records how invocations ended: in their receipts, in the trust records, and in the health of their agents. Thread-safe. */
final class InvocationRecords {

    /** The one reporter of the gateway's outcomes. */
    private static final String GATEWAY = "";

    private final AgentStore agents;
    private final OutcomeStore outcomes;
    private final ReceiptStore receipts;
    private final TaskAccess tasks;
    private final KeyStore keys;
    private final CallerErrorStore errors;
    private final StorageMeter meter;
    private final Log log;

    InvocationRecords(Database database, StorageMeter meter, Log log) {
        this.agents = new AgentStore(database);
        this.outcomes = new OutcomeStore(database);
        this.receipts = new ReceiptStore(database);
        this.tasks = new TaskAccess(new TaskAccessStore(database));
        this.keys = new KeyStore(database);
        this.errors = new CallerErrorStore(database);
        this.meter = meter;
        this.log = log;
    }

    /**
     * Records the end of a call, unless the receipt was marked as interrupted meanwhile. It does so even after the request's deadline: the
     * agent was called, and the result is known only here.
     *
     * @param keepsOutput whether the agent's answer is kept with the receipt
     */
    void record(Receipt running, StoredAgent agent, CallResult result, boolean keepsOutput) {
        meter.withoutDeadline(() -> {
            if (!result.returned().isEmpty()) {
                tasks.allow(running, Json.stored(result.returned()));
                if (keepsOutput) {
                    receipts.putOutput(running, result.returned());
                }
            }
            finish(running, agent, result);
        });
    }

    private void finish(Receipt running, StoredAgent agent, CallResult result) {
        result.failure().ifPresent(failure -> logFailure(running, failure, result.latencyMs()));
        if (!result.failure().map(InvocationFailure::isTheAgents).orElse(true)) {
            receipts.abandon(running, result);
            return;
        }
        AgentProfile profile = agent.profile();
        Expectations expected = profile.basis().expectations();
        boolean evidence = isEvidence(running, agent, result, expected);
        if (!receipts.finish(running, result, invocation(running, profile, expected, result, evidence))) {
            log.warn("invocation_ended_late", Map.of("receipt_id", running.id(), "agent_id", profile.agentId()));
        } else if (evidence) {
            try {
                count(running.id(), profile, result);
                receipts.settle(running.id());
            } catch (RuntimeException e) {
                // The repair of receipts counts it later, so the caller need not wait.
                log.failure("outcome_not_counted", running.id(), e);
            }
        }
    }

    /**
     * Returns whether a result says something about the agent. Where the caller may have caused a failure, it does if the caller may act on the agent, or
     * enough owners met as many.
     */
    private boolean isEvidence(Receipt running, StoredAgent agent, CallResult result, Expectations expected) {
        if (!result.failure()
                .filter(failure -> failure.mayBeOfCaller(running.timeout(), expected))
                .isPresent()) {
            return true;
        }
        Optional<ApiKey> key = keys.find(running.keyId());
        boolean trusted = running.keyId().equals(Authenticator.ADMINISTRATOR)
                || key.map(ApiKey::asCaller)
                        .filter(caller -> caller.mayActOn(
                                agent.pulse().owner(), agent.profile().roleId()))
                        .isPresent();
        if (trusted) {
            return true;
        }
        String owner = key.map(ApiKey::ownerName).orElse(running.keyId());
        try {
            return errors.add(running.agentId(), owner, expected.window().length())
                    .areEvidence(owner);
        } catch (RuntimeException e) {
            // The result must not be lost because of it.
            log.failure("caller_error_not_stored", running.id(), e);
            return false;
        }
    }

    private static Invocation invocation(
            Receipt running, AgentProfile agent, Expectations expected, CallResult result, boolean evidence) {
        return new Invocation(
                running.id(),
                agent.agentId(),
                agent.description().providerId(),
                result.succeeded(),
                result.latencyMs(),
                expected.latencyLimitMs().orElse(Call.NO_LIMIT),
                result.at(),
                evidence);
    }

    private void logFailure(Receipt running, InvocationFailure failure, long latencyMs) {
        log.warn(
                "invocation_failed",
                Map.of(
                        "receipt_id", running.id(),
                        "agent_id", running.agentId(),
                        "kind", failure.wireName(),
                        "latency_ms", latencyMs));
        log.metric(Metric.INVOCATION_FAILURES, 1, failure.wireName());
    }

    /** Counts the end of an invocation in the health of its agent, once per receipt, and marks it as counted. */
    void count(String receiptId, String agentId, CallResult result) {
        agents.profile(agentId).ifPresent(agent -> count(receiptId, agent, result));
        receipts.settle(receiptId);
    }

    private void count(String receiptId, AgentProfile agent, CallResult result) {
        outcomes.count(
                new OutcomeBatch(agent.agentId(), OutcomeSource.GATEWAY, GATEWAY, receiptId, List.of(outcome(result))),
                agent);
    }

    private static Outcome outcome(CallResult result) {
        return result.failure()
                .map(failure -> new Outcome(
                        OutcomeResult.FAILURE,
                        failure.errorType(),
                        // The time until an agent proved unreachable says nothing about its speed.
                        failure.isSafeToRepeat() ? Outcome.NO_LATENCY : result.latencyMs(),
                        result.at(),
                        false))
                .orElseGet(() ->
                        new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, result.latencyMs(), result.at(), false));
    }
}
