package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import dev.agenthealth.model.profile.A2aVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

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

    /**
     * A call that has ended.
     *
     * @param error the agent's own error; empty where it returned none
     * @param version the version of A2A in which the agent answered, else that in which it was called
     */
    record EndedCall(CallResult<JsonNode> result, ObjectNode error, A2aVersion version, Instant at, long latencyMs) {

        /** The state of the call's receipt. */
        ReceiptState.Finished state() {
            return result.fold(
                    output -> new ReceiptState.Succeeded(at, latencyMs),
                    reason -> new ReceiptState.Failed(at, latencyMs, reason));
        }

        /** The agent's answer, or its own error, as JSON text; empty for a call that failed without one. */
        String outputText() {
            return result.fold(Json::text, reason -> error.isEmpty() ? "" : Json.text(error));
        }
    }

    /** One request to an agent, with the agent's own error; empty where it returned none. */
    private record Attempt(CallResult<JsonNode> result, ObjectNode error) {

        boolean refusesVersion() {
            return A2aAnswer.refusesVersion(error);
        }

        boolean answersInVersion() {
            return result.fold(
                    output -> true,
                    reason -> reason == InvocationFailure.TASK_FAILED || reason == InvocationFailure.RPC_ERROR);
        }
    }

    /** Resolves the host name of an endpoint and checks the addresses. */
    Resolution resolve(Endpoint endpoint, Duration timeout) {
        Instant start = clock.instant();
        CallResult<Destination> destination = addresses.destination(endpoint, timeout);
        return new Resolution(destination, between(start, clock.instant()));
    }

    /**
     * Sends a message to an agent and waits for the answer. An agent that does not know the method of A2A 0.3 processed nothing, so it gets
     * the message once more in version 1.0.
     *
     * @param receipt by its id the agent recognises a repeated message; its timeout is for resolving and calling together
     */
    EndedCall call(Resolution to, A2aVersion version, A2aMessage message, Receipt receipt) {
        Duration left = receipt.timeout().minus(to.took());
        Instant start = clock.instant();
        Attempt attempt = send(to, version, message, receipt, left);
        A2aVersion spoken = version;
        if (version == A2aVersion.V0_3 && attempt.refusesVersion()) {
            Duration rest = left.minus(between(start, clock.instant()));
            Attempt newer = send(to, A2aVersion.V1_0, message, receipt, rest);
            if (!newer.refusesVersion()) {
                attempt = newer;
                spoken = newer.answersInVersion() ? A2aVersion.V1_0 : version;
            }
        }
        Instant end = clock.instant();
        long latencyMs = between(start, end).plus(to.took()).toMillis();
        return new EndedCall(attempt.result(), attempt.error(), spoken, end, latencyMs);
    }

    private Attempt send(Resolution to, A2aVersion version, A2aMessage message, Receipt receipt, Duration timeout) {
        A2aRequest request = A2aRequest.send(version, message, receipt.id());
        Map<String, String> headers = new HashMap<>(receipt.trace().headers());
        headers.putAll(request.headers());
        CallResult<byte[]> answer = to.destination()
                .then(destination -> http.post(
                        destination,
                        headers,
                        request.body().getBytes(StandardCharsets.UTF_8),
                        timeout.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : timeout));
        CallResult<JsonNode> result = answer.then(body -> A2aAnswer.read(version, request.id(), body));
        boolean isError = result.fold(output -> false, reason -> reason == InvocationFailure.RPC_ERROR);
        return new Attempt(result, isError ? answer.fold(A2aAnswer::error, reason -> Json.object()) : Json.object());
    }

    /** The clock may go back. */
    private static Duration between(Instant start, Instant end) {
        return end.isBefore(start) ? Duration.ZERO : Duration.between(start, end);
    }
}
