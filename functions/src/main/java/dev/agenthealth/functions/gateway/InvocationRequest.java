package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.a2a.MessageFields;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import java.time.Duration;

/**
 * A request to invoke an agent.
 *
 * @param timeout how long the agent may take
 * @param identity identifies a repeated request; {@code NONE} without an idempotency key
 * @param trace the trace that the caller's request is part of
 */
record InvocationRequest(
        Caller caller,
        String agentId,
        A2aMessage message,
        Duration timeout,
        IdempotentRequest identity,
        TraceContext trace) {

    /** Less than API Gateway's timeout of 30 seconds. */
    private static final int MAX_SYNC_MILLIS = 25_000;

    private static final int DEFAULT_SYNC_MILLIS = 20_000;
    private static final int MAX_ASYNC_MILLIS = 60_000;
    private static final int DEFAULT_ASYNC_MILLIS = 30_000;

    /**
     * A synchronous request.
     *
     * @throws Problem 400 for an invalid body or idempotency key
     */
    static InvocationRequest synchronous(ApiRequest request) {
        return read(request, MAX_SYNC_MILLIS, DEFAULT_SYNC_MILLIS);
    }

    /**
     * An asynchronous request.
     *
     * @throws Problem 400 for an invalid body or idempotency key
     */
    static InvocationRequest asynchronous(ApiRequest request) {
        return read(request, MAX_ASYNC_MILLIS, DEFAULT_ASYNC_MILLIS);
    }

    private static InvocationRequest read(ApiRequest request, int maxMillis, int defaultMillis) {
        String agentId = request.pathId("agent_id");
        Fields body = request.fields();
        A2aMessage message = MessageFields.of(body);
        Duration timeout =
                Duration.ofMillis(body.integer("timeout_ms", 1, maxMillis).orElse(defaultMillis));
        body.refuseUnknown();
        body.check();
        IdempotentRequest identity = IdempotencyRecords.identify(request, agentId, message, timeout);
        TraceContext trace = TraceContext.of(request.header("traceparent"), request.header("tracestate"));
        return new InvocationRequest(request.caller(), agentId, message, timeout, identity, trace);
    }
}
