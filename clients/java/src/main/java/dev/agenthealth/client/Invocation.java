package dev.agenthealth.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.UUID;

/**
 * A call of an agent through the gateway (ServiceNet). Each invocation has an {@code Idempotency-Key}. The agent is therefore called only
 * once, even if a request is retried after a lost answer. Immutable: each method returns a changed copy.
 */
public final class Invocation {

    /** The time that the gateway allows an agent by default. */
    private static final long DEFAULT_MILLIS = 20_000;

    private final Api api;
    private final String agentId;
    private final ObjectNode body;
    private final String idempotencyKey;
    private final String traceparent;

    Invocation(Api api, String agentId) {
        this(api, agentId, Json.object(), UUID.randomUUID().toString(), "");
    }

    private Invocation(Api api, String agentId, ObjectNode body, String idempotencyKey, String traceparent) {
        this.api = api;
        this.agentId = agentId;
        this.body = body;
        this.idempotencyKey = idempotencyKey;
        this.traceparent = traceparent;
    }

    /** Sets the message: a text, or any value that Jackson writes as an A2A message. */
    public Invocation message(Object message) {
        ObjectNode copy = body.deepCopy();
        copy.set("message", Json.of(message));
        return new Invocation(api, agentId, copy, idempotencyKey, traceparent);
    }

    /** Sets the maximum time of the agent: up to 25 s for {@link #call}, up to 60 s for {@link #callAsync}. */
    public Invocation timeout(Duration timeout) {
        ObjectNode copy = body.deepCopy().put("timeout_ms", timeout.toMillis());
        return new Invocation(api, agentId, copy, idempotencyKey, traceparent);
    }

    /** Sets the key under which the agent is called once within a day, such as the id of an order; random by default. */
    public Invocation idempotencyKey(String key) {
        return new Invocation(api, agentId, body, key, traceparent);
    }

    /**
     * Sets the trace of the call, as the {@code traceparent} of W3C Trace Context. The agent continues the trace, and the receipt names it.
     */
    public Invocation traceparent(String context) {
        return new Invocation(api, agentId, body, idempotencyKey, context);
    }

    /**
     * Calls the agent and waits for its answer.
     *
     * @throws ForbiddenException if the agent or its provider is blocked
     * @throws RateLimitedException if the key called too often
     * @throws ProblemException 502 or 504 if the call failed; {@code receipt_id} and {@code agent_error} are in its document
     */
    public Receipt call() {
        return new Receipt(api.send(to("/invoke")));
    }

    /** Lets the gateway call the agent; {@link AgentHealthClient#receipt} returns the result. */
    public Receipt callAsync() {
        return new Receipt(api.send(to("/invoke-async")));
    }

    private Call to(String path) {
        // 502 and 504 are results of the call itself.
        Call call = Call.post("/v1/agents").segment(agentId).path(path);
        if (!traceparent.isEmpty()) {
            call.header("traceparent", traceparent);
        }
        return call.header("Idempotency-Key", '"' + idempotencyKey + '"')
                .waitsAtLeast(body.path("timeout_ms").asLong(DEFAULT_MILLIS))
                .retryAfterStatuses(429, 503)
                .retryAfterCode("invocation_in_progress")
                .body(body);
    }
}
