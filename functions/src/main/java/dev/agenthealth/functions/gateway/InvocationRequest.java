package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.a2a.MessageFields;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import java.time.Duration;

/** A request to invoke an agent: the message, and how long the agent may take. */
record InvocationRequest(A2aMessage message, Duration timeout) {

    /** Less than API Gateway's timeout of 30 seconds. */
    private static final int MAX_SYNC_MILLIS = 25_000;

    private static final int DEFAULT_SYNC_MILLIS = 20_000;
    private static final int MAX_ASYNC_MILLIS = 60_000;
    private static final int DEFAULT_ASYNC_MILLIS = 30_000;

    /**
     * A synchronous request.
     *
     * @throws Problem 400 for a body that breaks a rule
     */
    static InvocationRequest synchronous(Fields body) {
        return read(body, MAX_SYNC_MILLIS, DEFAULT_SYNC_MILLIS);
    }

    /**
     * An asynchronous request.
     *
     * @throws Problem 400 for a body that breaks a rule
     */
    static InvocationRequest asynchronous(Fields body) {
        return read(body, MAX_ASYNC_MILLIS, DEFAULT_ASYNC_MILLIS);
    }

    private static InvocationRequest read(Fields body, int maxMillis, int defaultMillis) {
        A2aMessage message = MessageFields.of(body);
        int timeout = body.integer("timeout_ms", 1, maxMillis).orElse(defaultMillis);
        body.refuseUnknown();
        body.check();
        return new InvocationRequest(message, Duration.ofMillis(timeout));
    }
}
