package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.a2a.A2aAnswer;
import dev.agenthealth.functions.a2a.A2aMessage;
import dev.agenthealth.functions.a2a.A2aRequest;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.CallResult;
import dev.agenthealth.functions.outbound.Destination;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.profile.A2aVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Calls agents. Thread-safe. */
final class AgentCalls {

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final Clock clock;

    AgentCalls(AddressCheck addresses, PinnedHttpClient http, Clock clock) {
        this.addresses = addresses;
        this.http = http;
        this.clock = clock;
    }

    /**
     * The addresses of an agent's host.
     *
     * @param took part of the call's timeout and of its latency
     */
    record Resolution(CallResult<Destination> destination, Duration took) {

        /** Whether the host name leads to an address that must not be called; then there is no call to record. */
        boolean isForbidden() {
            return destination.fold(to -> false, reason -> reason == InvocationFailure.ENDPOINT_NOT_ALLOWED);
        }
    }

    /** A call that has ended. */
    record EndedCall(CallResult<JsonNode> result, Instant at, long latencyMs) {

        /** The state of the call's receipt. */
        ReceiptState.Finished state() {
            return result.fold(
                    output -> new ReceiptState.Succeeded(at, latencyMs),
                    reason -> new ReceiptState.Failed(at, latencyMs, reason));
        }

        /** The agent's answer as JSON text; empty for a call that failed. */
        String outputText() {
            return result.fold(Json::text, reason -> "");
        }
    }

    /** Resolves the host name of an endpoint and checks the addresses. */
    Resolution resolve(Endpoint endpoint, Duration timeout) {
        Instant start = clock.instant();
        CallResult<Destination> destination = addresses.destination(endpoint, timeout);
        return new Resolution(destination, between(start, clock.instant()));
    }

    /**
     * Sends a message to an agent and waits for the answer.
     *
     * @param receiptId by which the agent recognises a repeated message
     * @param timeout for resolving and calling together
     */
    EndedCall call(Resolution to, A2aVersion version, A2aMessage message, String receiptId, Duration timeout) {
        A2aRequest request = A2aRequest.send(version, message, receiptId);
        Duration left = timeout.minus(to.took());
        Instant start = clock.instant();
        CallResult<byte[]> answer = to.destination()
                .then(destination -> http.post(
                        destination,
                        request.headers(),
                        request.body().getBytes(StandardCharsets.UTF_8),
                        left.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : left));
        Instant end = clock.instant();
        return new EndedCall(
                answer.then(body -> A2aAnswer.read(version, request.id(), body)),
                end,
                between(start, end).plus(to.took()).toMillis());
    }

    /** The clock may go back. */
    private static Duration between(Instant start, Instant end) {
        return end.isBefore(start) ? Duration.ZERO : Duration.between(start, end);
    }
}
