package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.AgentCalls.Resolution;
import dev.agenthealth.functions.gateway.a2a.A2aOptions;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Synchronous invocations. Thread-safe. */
public final class SyncInvocations {

    /** A time longer than the function's timeout. */
    static final Duration MAX_RUN = Duration.ofSeconds(60);

    private static final String RECEIPT_ID = "receipt_id";

    private final CallGuard guard;
    private final AgentCalls calls;
    private final IdempotencyRecords idempotency;
    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final PushSubscriptions pushes;
    private final Clock clock;

    SyncInvocations(
            CallGuard guard,
            AgentCalls calls,
            IdempotencyRecords idempotency,
            ReceiptStore receipts,
            InvocationRecords records,
            PushSubscriptions pushes,
            Clock clock) {
        this.guard = guard;
        this.calls = calls;
        this.idempotency = idempotency;
        this.receipts = receipts;
        this.records = records;
        this.pushes = pushes;
        this.clock = clock;
    }

    /**
     * Calls the agent, records the result and returns it. A refused invocation is not recorded. A repeated request returns the result of the
     * first one without calling the agent.
     *
     * @throws ApiError as {@link #run}; 502 or 504, with the id of the receipt, if the call failed
     */
    public ObjectNode invoke(InvocationRequest request) {
        return outcome(run(request));
    }

    /**
     * Returns the answer of an agent, from the receipt of an invocation that ended.
     *
     * @throws ApiError with the id of the receipt, if the invocation failed
     */
    static ObjectNode outcome(Receipt ended) {
        CallResult result = ended.result().orElseThrow();
        result.failure().ifPresent(failure -> {
            ApiError problem = InvocationErrors.of(failure, ended.agentId()).with(RECEIPT_ID, ended.id());
            throw failure.isRpcError() && !result.returned().isEmpty()
                    ? problem.with(InvocationErrors.AGENT_ERROR, Json.stored(result.returned()))
                    : problem;
        });
        ObjectNode json = Json.object();
        json.put(RECEIPT_ID, ended.id());
        json.put("agent_id", ended.agentId());
        ReceiptLookup.putVersion(json, ended);
        json.put("status", ended.state().wireName());
        json.set("output", result.returned().isEmpty() ? null : Json.stored(result.returned()));
        json.put("latency_ms", result.latencyMs());
        return json;
    }

    /**
     * Returns the reason for which the gateway would refuse to call an agent now, as far as known before its host name is resolved; empty if the
     * gateway would call it.
     */
    public Optional<ApiError> refusal(String agentId) {
        try {
            guard.admit(agentId);
            return Optional.empty();
        } catch (ApiError refused) {
            return Optional.of(refused);
        }
    }

    /**
     * Returns the receipt of the invocation, with its result.
     *
     * @throws ApiError 404, 403, 409 or 502 if the agent may not be called; 404 if a task belongs to another caller; 409 if the first request is
     *     still running; 429 if the caller makes too many invocations, or too many calls are under way; 422 if the idempotency key belongs to a
     *     different request; 503 if the agent is unresponsive
     */
    Receipt run(InvocationRequest request) {
        guard.takeRate(request.caller());
        String agentId = request.agentId();
        Optional<Receipt> earlier = idempotency.earlier(request.identity());
        if (earlier.isPresent()) {
            return endedEarlier(earlier.get());
        }
        Admitted agent =
                guard.admit(request.caller(), agentId, request.message().taskIds());
        String receiptId = IdempotencyRecords.newReceiptId();
        return guard.during(request.caller(), agent, receiptId, () -> call(request, agent, receiptId));
    }

    private Receipt call(InvocationRequest request, Admitted agent, String receiptId) {
        Resolution resolution = AdmissionCheck.orProblem(agent.id(), () -> calls.resolve(agent, request.timeout()));
        AdmissionCheck.orProblem(agent.id(), () -> records.trials().begin(agent));
        Optional<PushSubscriptions.Begun> push = pushes.begin(request, agent);
        Receipt running = Receipt.synchronous(
                        receiptId,
                        agent.id(),
                        request.caller().keyId(),
                        request.timeout(),
                        request.trace(),
                        clock.instant(),
                        MAX_RUN)
                .ofVersion(agent.version());
        Optional<Receipt> concurrent = idempotency.create(running, request.identity());
        if (concurrent.isPresent()) {
            push.ifPresent(begun -> pushes.withdraw(begun.push()));
            records.trials().giveBack(agent);
            return endedEarlier(concurrent.get());
        }
        A2aOptions options =
                push.map(begun -> request.options().notifying(begun.forAgent())).orElse(request.options());
        CallResult result = calls.call(
                agent,
                resolution,
                version -> A2aRequest.send(version, request.message(), options, receiptId),
                request.trace(),
                request.timeout());
        records.record(running, agent, result, !request.identity().isNone());
        pushes.returned(push, result);
        return running.ended(result, true);
    }

    private Receipt endedEarlier(Receipt earlier) {
        CallResult result = earlier.result().orElseThrow(() -> ApiError.passingConflict(
                        "invocation_in_progress",
                        "The request with this Idempotency-Key is being answered. Repeat it after the time in"
                                + " Retry-After.",
                        Duration.ofSeconds(1))
                .with(RECEIPT_ID, earlier.id()));
        // After a crash, the agent's answer may be stored although the invocation counts as interrupted.
        boolean known = result.failure().map(InvocationFailure::isTheAgents).orElse(true);
        String returned = known ? receipts.output(earlier.id()).orElse("") : "";
        return earlier.ended(result.returning(returned), earlier.counted());
    }
}
