package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.a2a.MessageFields;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import java.time.Duration;

/**
 * What a caller wants of an agent.
 *
 * @param message what is sent to the agent
 * @param timeout how long the agent may take
 */
record InvocationRequest(A2aMessage message, Duration timeout) {

    /** A caller who waits does so for less than API Gateway's 30 seconds. */
    private static final int MAX_WAITED_FOR_MILLIS = 25_000;

    private static final int USUAL_WAITED_FOR_MILLIS = 20_000;
    private static final int MAX_MILLIS = 60_000;
    private static final int USUAL_MILLIS = 30_000;

    /**
     * The request of a caller who waits.
     *
     * @throws Problem 400 for a body that breaks a rule
     */
    static InvocationRequest waitedFor(Fields body) {
        return read(body, MAX_WAITED_FOR_MILLIS, USUAL_WAITED_FOR_MILLIS);
    }

    /**
     * The request of a caller who does not wait.
     *
     * @throws Problem 400 for a body that breaks a rule
     */
    static InvocationRequest notWaitedFor(Fields body) {
        return read(body, MAX_MILLIS, USUAL_MILLIS);
    }

    private static InvocationRequest read(Fields body, int longest, int usual) {
        A2aMessage message = MessageFields.of(body);
        int timeout = body.integer("timeout_ms", 1, longest).orElse(usual);
        body.refuseUnknown();
        body.check();
        return new InvocationRequest(message, Duration.ofMillis(timeout));
    }
}
