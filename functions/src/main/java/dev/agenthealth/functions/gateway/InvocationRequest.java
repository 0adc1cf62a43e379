package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.a2a.A2aOptions;
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
 * @param options how the message is to be answered
 * @param timeout how long the agent may take
 * @param identity identifies a repeated request; {@code NONE} without an idempotency key
 * @param trace the trace that the caller's request is part of
 */
record InvocationRequest(
        Caller caller,
        String agentId,
        A2aMessage message,
        A2aOptions options,
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

    /**
     * A message of a client of A2A.
     *
     * @throws Problem 400 for an invalid idempotency key
     */
    static InvocationRequest ofA2a(ApiRequest request, A2aMessage message, A2aOptions options) {
        return of(request, message, options, Duration.ofMillis(MAX_SYNC_MILLIS));
    }

    private static InvocationRequest read(ApiRequest request, int maxMillis, int defaultMillis) {
        Fields body = request.fields();
        A2aMessage message = MessageFields.of(body);
        Duration timeout =
                Duration.ofMillis(body.integer("timeout_ms", 1, maxMillis).orElse(defaultMillis));
        body.refuseUnknown();
        body.check();
        return of(request, message, A2aOptions.DEFAULT, timeout);
    }

    private static InvocationRequest of(ApiRequest request, A2aMessage message, A2aOptions options, Duration timeout) {
        String agentId = request.pathId("agent_id");
        IdempotentRequest identity =
                IdempotencyRecords.identify(request, agentId, message.canonicalText() + options.text(), timeout);
        TraceContext trace = TraceContext.of(request.header("traceparent"), request.header("tracestate"));
        return new InvocationRequest(request.caller(), agentId, message, options, timeout, identity, trace);
    }
}
