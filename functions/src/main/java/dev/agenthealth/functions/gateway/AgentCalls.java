package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aAnswer;
import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.a2a.A2aRequest;
import dev.agenthealth.functions.outbound.Destination;
import dev.agenthealth.functions.outbound.HttpResult;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.profile.A2aVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Calls agents. Thread-safe. */
final class AgentCalls {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final PinnedHttpClient http;
    private final Clock clock;

    AgentCalls(PinnedHttpClient http, Clock clock) {
        this.http = http;
        this.clock = clock;
    }

    /**
     * Hands a message to an agent and waits for what comes of it.
     *
     * @param to where the agent is, if it is anywhere
     * @param resolved how long it took to find out, which is part of the timeout and of the latency
     * @param receiptId by which the agent recognises a message that comes again
     */
    CallEnd call(
            Destination to,
            Duration resolved,
            A2aVersion version,
            A2aMessage message,
            String receiptId,
            Duration timeout) {
        Duration resolution = notNegative(resolved);
        Instant begun = clock.instant();
        if (!(to instanceof Destination.Checked checked)) {
            return CallEnd.notDone(begun, resolution.toMillis(), InvocationFailure.UNKNOWN_HOST);
        }
        A2aRequest request = A2aRequest.send(version, message, receiptId);
        Duration left = timeout.minus(resolution);
        HttpResult result = http.post(
                checked,
                request.headers(),
                request.body().getBytes(StandardCharsets.UTF_8),
                left.compareTo(SHORTEST) < 0 ? SHORTEST : left);
        Instant end = clock.instant();
        long latency =
                notNegative(Duration.between(begun, end)).plus(resolution).toMillis();
        if (result instanceof HttpResult.Failed failed) {
            return CallEnd.notDone(end, latency, failed.failure());
        }
        A2aAnswer answer = A2aAnswer.read(version, request.id(), ((HttpResult.Answered) result).body());
        return answer instanceof A2aAnswer.Done done
                ? CallEnd.done(end, latency, done.result())
                : CallEnd.notDone(end, latency, ((A2aAnswer.NotDone) answer).failure());
    }

    /** A clock may go back, and no time takes less than none. */
    private static Duration notNegative(Duration measured) {
        return measured.isNegative() ? Duration.ZERO : measured;
    }
}
