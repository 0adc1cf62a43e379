package dev.agenthealth.functions.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.a2a.A2aAnswer;
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
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

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
     * @param said what the agent returned with a failure: its own error, or the task that failed; empty where it returned neither
     * @param version the version of A2A in which the agent answered, else that in which it was called
     */
    record EndedCall(CallResult<JsonNode> result, JsonNode said, A2aVersion version, Instant at, long latencyMs) {

        /** The state of the call's receipt. */
        ReceiptState.Finished state() {
            return result.fold(
                    output -> new ReceiptState.Succeeded(at, latencyMs),
                    reason -> new ReceiptState.Failed(at, latencyMs, reason));
        }

        /** What the agent returned; empty for a call that failed without anything. */
        JsonNode returned() {
            return result.fold(output -> output, reason -> said);
        }
    }

    /** One request to an agent, and what the agent returned with a failure. */
    private record Attempt(CallResult<JsonNode> result, JsonNode said) {

        boolean refusesVersion() {
            return failedAs(InvocationFailure.RPC_ERROR) && A2aAnswer.refusesVersion(said);
        }

        boolean answersInVersion() {
            return result.fold(output -> true, reason -> false)
                    || failedAs(InvocationFailure.TASK_FAILED)
                    || failedAs(InvocationFailure.RPC_ERROR);
        }

        private boolean failedAs(InvocationFailure failure) {
            return result.fold(output -> false, reason -> reason == failure);
        }
    }

    /** Resolves the host name of an endpoint and checks the addresses. */
    Resolution resolve(Endpoint endpoint, Duration timeout) {
        Instant start = clock.instant();
        CallResult<Destination> destination = addresses.destination(endpoint, timeout);
        return new Resolution(destination, between(start, clock.instant()));
    }

    /**
     * Sends a request to an agent and waits for the answer. An agent that does not know the method of A2A 0.3 processed nothing, so it gets
     * the request once more in version 1.0.
     *
     * @param question the request in each version
     * @param headers besides those of A2A
     * @param timeout for resolving and calling together
     */
    EndedCall call(
            Resolution to,
            A2aVersion version,
            Function<A2aVersion, A2aRequest> question,
            Map<String, String> headers,
            Duration timeout) {
        Duration left = timeout.minus(to.took());
        Instant start = clock.instant();
        Attempt attempt = send(to, question.apply(version), headers, left);
        A2aVersion spoken = version;
        if (version == A2aVersion.V0_3 && attempt.refusesVersion()) {
            Duration rest = left.minus(between(start, clock.instant()));
            Attempt newer = send(to, question.apply(A2aVersion.V1_0), headers, rest);
            if (!newer.refusesVersion()) {
                attempt = newer;
                spoken = newer.answersInVersion() ? A2aVersion.V1_0 : version;
            }
        }
        Instant end = clock.instant();
        long latencyMs = between(start, end).plus(to.took()).toMillis();
        return new EndedCall(attempt.result(), attempt.said(), spoken, end, latencyMs);
    }

    private Attempt send(Resolution to, A2aRequest request, Map<String, String> more, Duration timeout) {
        Map<String, String> headers = new HashMap<>(more);
        headers.putAll(request.headers());
        CallResult<byte[]> answer = to.destination()
                .then(destination -> http.post(
                        destination,
                        headers,
                        request.body().getBytes(StandardCharsets.UTF_8),
                        timeout.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : timeout));
        CallResult<JsonNode> result = answer.then(request::read);
        JsonNode said = result.fold(
                output -> Json.object(),
                reason -> answer.fold(body -> said(request, reason, body), failure -> Json.object()));
        return new Attempt(result, said);
    }

    private static JsonNode said(A2aRequest request, InvocationFailure reason, byte[] body) {
        return switch (reason) {
            case RPC_ERROR -> A2aAnswer.error(body);
            case TASK_FAILED -> A2aAnswer.result(request.id(), body).fold(task -> task, failure -> Json.object());
            default -> Json.object();
        };
    }

    /** The clock may go back. */
    private static Duration between(Instant start, Instant end) {
        return end.isBefore(start) ? Duration.ZERO : Duration.between(start, end);
    }
}
