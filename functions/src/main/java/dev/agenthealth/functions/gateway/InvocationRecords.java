package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.CallerOutcomeStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.keys.ApiKey;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.upstreams.UpstreamStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.health.trust.Call;
import dev.agenthealth.model.health.trust.EvidenceScope;
import dev.agenthealth.model.health.trust.Invocation;
import dev.agenthealth.model.identity.Owner;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Records the results of invocations: in their receipts, in trust records, and in the health of their agents. Thread-safe. */
final class InvocationRecords {

    /** The reporter of all outcomes of the gateway. */
    private static final String GATEWAY = "";

    private final AgentStore agents;
    private final OutcomeStore outcomes;
    private final ReceiptStore receipts;
    private final TaskAccess tasks;
    private final KeyStore keys;
    private final CallerOutcomeStore callers;
    private final UpstreamStore upstreams;
    private final Trials trials;
    private final StorageMeter meter;
    private final Log log;

    InvocationRecords(Database database, TaskAccess tasks, Trials trials, StorageMeter meter, Log log) {
        this.agents = new AgentStore(database);
        this.outcomes = new OutcomeStore(database);
        this.receipts = new ReceiptStore(database);
        this.tasks = tasks;
        this.keys = new KeyStore(database);
        this.callers = new CallerOutcomeStore(database);
        this.upstreams = new UpstreamStore(database);
        this.trials = trials;
        this.meter = meter;
        this.log = log;
    }

    /**
     * Records the end of a call, unless the receipt was marked as interrupted meanwhile. It records even after the request's deadline, as the agent
     * was called and only this process knows the result.
     *
     * @param keepsOutput whether the receipt keeps the agent's answer
     */
    void record(Receipt running, Admitted called, CallResult result, boolean keepsOutput) {
        StoredAgent agent = called.stored();
        meter.withoutDeadline(() -> {
            if (!result.returned().isEmpty()) {
                JsonNode returned = Json.stored(result.returned());
                tasks.allow(running, returned);
                tasks.seen(agent, returned);
                if (keepsOutput) {
                    receipts.putOutput(running, result.returned());
                }
            }
            finish(running, agent, result);
            trials.ended(called, result, running.timeout());
        });
    }

    /** Returns the trial calls of contained agents. */
    Trials trials() {
        return trials;
    }

    private void finish(Receipt running, StoredAgent agent, CallResult result) {
        result.failure().ifPresent(failure -> logFailure(running, failure, result.latencyMs()));
        if (!result.failure().map(InvocationFailure::isTheAgents).orElse(true)) {
            receipts.abandon(running, result);
            return;
        }
        AgentProfile profile = agent.profile();
        Expectations expected = profile.basis().expectations();
        EvidenceScope scope = withoutUpstream(scope(running, agent, result, expected), running, result);
        if (!receipts.finish(running, result, invocation(running, profile, expected, result, scope))) {
            log.warn("invocation_ended_late", Map.of("receipt_id", running.id(), "agent_id", profile.agentId()));
        } else if (scope != EvidenceScope.NONE) {
            try {
                count(running.id(), profile, result);
                receipts.settle(running.id());
            } catch (RuntimeException e) {
                // The repair of receipts counts the outcome later, so the caller need not wait.
                log.failure("outcome_not_counted", running.id(), e);
            }
        }
    }

    /**
     * Returns the purposes for which a result is evidence. A failure that the caller may have caused counts if the caller may act on the agent, or
     * enough owners had as many failures. A success of a call by the agent's owner is no evidence for reputation. For every other owner, the number
     * of such successes is limited.
     */
    private EvidenceScope scope(Receipt running, StoredAgent agent, CallResult result, Expectations expected) {
        boolean success = result.succeeded();
        Owner owner = agent.pulse().owner();
        if (success && running.keyId().equals(owner.keyId())) {
            return EvidenceScope.STATUS;
        }
        boolean ofAgent = result.failure()
                .filter(failure -> !failure.mayBeOfCaller(running.timeout(), expected))
                .isPresent();
        if (ofAgent || running.keyId().equals(Authenticator.ADMINISTRATOR)) {
            return EvidenceScope.REPUTATION;
        }
        Optional<ApiKey> key = keys.find(running.keyId());
        boolean trusted = key.map(ApiKey::asCaller)
                .filter(caller -> caller.mayActOn(owner, agent.profile().roleId()))
                .isPresent();
        if (trusted) {
            return EvidenceScope.REPUTATION;
        }
        if (success && key.filter(caller -> hasProviderOf(owner, caller)).isPresent()) {
            return EvidenceScope.STATUS;
        }
        String caller = key.map(ApiKey::ownerName).orElse(running.keyId());
        Duration window = expected.window().length();
        try {
            if (success) {
                return callers.addSuccess(running.agentId(), caller, window)
                        ? EvidenceScope.REPUTATION
                        : EvidenceScope.STATUS;
            }
            return callers.addFailure(running.agentId(), caller, window)
                    ? EvidenceScope.REPUTATION
                    : EvidenceScope.NONE;
        } catch (RuntimeException e) {
            // The result must not be lost because of this failure.
            log.failure("caller_outcome_not_stored", running.id(), e);
            return success ? EvidenceScope.STATUS : EvidenceScope.NONE;
        }
    }

    /** Returns the purposes without the reputation, if the agent failed while its model provider fails for many agents. */
    private EvidenceScope withoutUpstream(EvidenceScope scope, Receipt running, CallResult result) {
        if (result.succeeded() || scope != EvidenceScope.REPUTATION) {
            return scope;
        }
        try {
            return upstreams.inForce().of(running.agentId()).isPresent() ? EvidenceScope.STATUS : scope;
        } catch (RuntimeException e) {
            // The result must not be lost because of this failure.
            log.failure("upstreams_not_read", running.id(), e);
            return scope;
        }
    }

    /** Returns whether a key and the agent's owner share a provider. Both then count as one owner. */
    private boolean hasProviderOf(Owner owner, ApiKey caller) {
        Set<String> ids = caller.providers().ids();
        return !ids.isEmpty()
                && !owner.keyId().equals(Authenticator.ADMINISTRATOR)
                && !Collections.disjoint(ids, keys.providers(owner.keyId()).ids());
    }

    private static Invocation invocation(
            Receipt running, AgentProfile agent, Expectations expected, CallResult result, EvidenceScope scope) {
        return new Invocation(
                running.id(),
                agent.agentId(),
                agent.description().providerId(),
                running.keyId(),
                new Call(
                        result.succeeded(),
                        result.latencyMs(),
                        expected.latencyLimitMs().orElse(Call.NO_LIMIT),
                        result.at()),
                scope);
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
                        // A call that never reached the agent says nothing about the agent's speed.
                        failure.isSafeToRepeat() ? Outcome.NO_LATENCY : result.latencyMs(),
                        result.at(),
                        false))
                .orElseGet(() ->
                        new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, result.latencyMs(), result.at(), false));
    }
}
