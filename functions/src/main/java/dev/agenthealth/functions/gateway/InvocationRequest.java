package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.a2a.A2aMessage;
import dev.agenthealth.functions.gateway.a2a.A2aOptions;
import dev.agenthealth.functions.gateway.a2a.MessageFields;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.profile.A2aVersion;
import java.time.Duration;
import java.util.Optional;

/**
 * A request to invoke an agent.
 *
 * @param content the content for the agent
 * @param timeout the maximum time for the agent
 * @param identity the identity for repeated requests; {@code NONE} without an idempotency key
 * @param trace the trace to which the caller's request belongs
 * @param push the target for notifications about the message's task
 */
public record InvocationRequest(
        Caller caller,
        String agentId,
        Content content,
        Duration timeout,
        IdempotentRequest identity,
        TraceContext trace,
        Optional<PushTarget> push) {

    /**
     * The content of a request for the agent.
     *
     * @param options the way in which the agent should answer the message
     */
    public record Content(A2aMessage message, A2aOptions options) {}

    /** The maximum timeout in milliseconds. It is below the 30 seconds of API Gateway. */
    public static final int MAX_SYNC_MILLIS = 25_000;

    private static final int MAX_ASYNC_MILLIS = 60_000;
    private static final int DEFAULT_ASYNC_MILLIS = 30_000;

    /**
     * The ways to invoke an agent by a plain message.
     *
     * @param operation the name in the identity of repeated requests
     * @param maxMillis the maximum timeout
     * @param defaultMillis the timeout if the request has none
     */
    private record Way(String operation, int maxMillis, int defaultMillis, A2aOptions options) {

        private static final Way SYNC = new Way("invoke", MAX_SYNC_MILLIS, 20_000, A2aOptions.DEFAULT);
        private static final Way ASYNC =
                new Way("invoke-async", MAX_ASYNC_MILLIS, DEFAULT_ASYNC_MILLIS, A2aOptions.DEFAULT);
        private static final Way TASK = new Way("task", MAX_ASYNC_MILLIS, DEFAULT_ASYNC_MILLIS, A2aOptions.EARLY);
    }

    private static final String A2A = "a2a";
    private static final String KEY_HEADER = "idempotency-key";

    /**
     * Returns a synchronous request, and ends the reading of the body.
     *
     * @param idempotencyKey the key in the form of its header, if any
     * @throws ApiError 400 for an invalid body or idempotency key
     */
    public static InvocationRequest synchronous(
            Caller caller, String agentId, Fields body, Optional<String> idempotencyKey, TraceContext trace) {
        return read(caller, agentId, body, idempotencyKey, trace, Way.SYNC);
    }

    /** Returns a synchronous request, as above. */
    static InvocationRequest synchronous(ApiRequest request) {
        return synchronous(
                request.caller(),
                request.pathId("agent_id"),
                request.fields(),
                idempotencyKey(request),
                trace(request));
    }

    /** Returns an asynchronous request, as above. */
    static InvocationRequest asynchronous(ApiRequest request) {
        return read(
                request.caller(),
                request.pathId("agent_id"),
                request.fields(),
                idempotencyKey(request),
                trace(request),
                Way.ASYNC);
    }

    /** Returns an asynchronous request whose caller follows the task of the agent, as above. */
    public static InvocationRequest asTask(
            Caller caller, String agentId, Fields body, Optional<String> idempotencyKey, TraceContext trace) {
        return read(caller, agentId, body, idempotencyKey, trace, Way.TASK);
    }

    /**
     * Returns the request for a message of an A2A client.
     *
     * @param version the version in which the caller receives notifications, if it wants any
     * @throws ApiError 400 for an invalid idempotency key
     */
    static InvocationRequest ofA2a(ApiRequest request, A2aVersion version, A2aMessage message, A2aOptions options) {
        String agentId = request.pathId("agent_id");
        Duration timeout = Duration.ofMillis(MAX_SYNC_MILLIS);
        return new InvocationRequest(
                request.caller(),
                agentId,
                new Content(message, options),
                timeout,
                IdempotencyRecords.identify(
                        request.caller(),
                        agentId,
                        A2A,
                        idempotencyKey(request),
                        message.canonicalText() + options.text(),
                        timeout),
                trace(request),
                options.push()
                        .map(config ->
                                new PushTarget(config, version, request.served().baseUrl())));
    }

    private static InvocationRequest read(
            Caller caller, String agentId, Fields body, Optional<String> idempotencyKey, TraceContext trace, Way way) {
        A2aMessage message = MessageFields.of(body);
        Duration timeout =
                Duration.ofMillis(body.integer("timeout_ms", 1, way.maxMillis()).orElse(way.defaultMillis()));
        body.refuseUnknown();
        IdempotencyRecords.refuseInvalid(idempotencyKey, body);
        body.check();
        A2aOptions options = way.options();
        IdempotentRequest identity = IdempotencyRecords.identify(
                caller, agentId, way.operation(), idempotencyKey, message.canonicalText() + options.text(), timeout);
        return new InvocationRequest(
                caller, agentId, new Content(message, options), timeout, identity, trace, Optional.empty());
    }

    A2aMessage message() {
        return content.message();
    }

    A2aOptions options() {
        return content.options();
    }

    private static Optional<String> idempotencyKey(ApiRequest request) {
        return request.hasHeader(KEY_HEADER) ? Optional.of(request.header(KEY_HEADER)) : Optional.empty();
    }

    /** Returns the trace to which a request belongs. */
    static TraceContext trace(ApiRequest request) {
        return TraceContext.of(request.header("traceparent"), request.header("tracestate"));
    }
}
