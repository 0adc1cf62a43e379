package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.a2a.A2aAnswer;
import dev.agenthealth.functions.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.CallFailedException;
import dev.agenthealth.functions.outbound.Destination;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.ConnectionState;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.lifecycle.SignOfLife;
import dev.agenthealth.model.profile.A2aVersion;
import dev.agenthealth.model.profile.Expectations;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Calls agents, and stores what a call shows of the connection and of the agent's life. Thread-safe. */
final class AgentCalls {

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final ConnectionStore connections;
    private final DeclaredSigns signsOfLife;
    private final Log log;
    private final Clock clock;

    AgentCalls(
            AddressCheck addresses,
            PinnedHttpClient http,
            ConnectionStore connections,
            DeclaredSigns signsOfLife,
            Log log,
            Clock clock) {
        this.addresses = addresses;
        this.http = http;
        this.connections = connections;
        this.signsOfLife = signsOfLife;
        this.log = log;
        this.clock = clock;
    }

    /**
     * The addresses of an agent's host.
     *
     * @param failure why there are none
     * @param took part of the call's timeout and of its latency
     */
    record Resolution(Optional<Destination> destination, Optional<CallFailedException> failure, Duration took) {

        private Destination orElseThrow() {
            failure.ifPresent(reason -> {
                throw reason;
            });
            return destination.orElseThrow();
        }
    }

    /**
     * Resolves the host name of an agent and checks the addresses.
     *
     * @throws CallFailedException if the host name leads to an address that must not be called: then there is no call to record
     */
    Resolution resolve(Admitted agent, Duration timeout) {
        Instant start = clock.instant();
        try {
            Destination destination = addresses.destination(agent.endpoint(), timeout);
            return new Resolution(Optional.of(destination), Optional.empty(), since(start));
        } catch (CallFailedException e) {
            if (e.reason() == InvocationFailure.ENDPOINT_NOT_ALLOWED) {
                throw e;
            }
            return new Resolution(Optional.empty(), Optional.of(e), since(start));
        }
    }

    /**
     * Sends a request to an agent and waits for the answer. An agent that does not know the method of A2A 0.3 processed nothing, so it gets
     * the request once more in version 1.0. A call that succeeds is a sign of life of an agent that declares it.
     *
     * @param question the request in each version
     * @param timeout for resolving and calling together
     */
    CallResult call(
            Admitted agent,
            Resolution to,
            Function<A2aVersion, A2aRequest> question,
            TraceContext trace,
            Duration timeout) {
        Instant start = clock.instant();
        Function<A2aVersion, CallResult> send = version -> {
            Duration left = timeout.minus(to.took()).minus(since(start));
            return send(to, question.apply(version), agent.headers(trace), left, start);
        };
        A2aVersion version = agent.connection().spoken();
        CallResult result = send.apply(version);
        if (version == A2aVersion.V0_3 && refusesVersion(result)) {
            CallResult newer = send.apply(A2aVersion.V1_0);
            if (!refusesVersion(newer)) {
                result = newer;
                version = answersInVersion(newer) ? A2aVersion.V1_0 : version;
            }
        }
        store(agent, result, version, timeout);
        if (result.succeeded()) {
            signsOfLife.record(agent.stored().pulse(), SignOfLife.CALLS);
        }
        return result;
    }

    private CallResult send(
            Resolution to, A2aRequest request, Map<String, String> more, Duration timeout, Instant start) {
        Map<String, String> headers = new HashMap<>(more);
        headers.putAll(request.headers());
        byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
        Duration positive = timeout.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : timeout;
        Optional<InvocationFailure> failure = Optional.empty();
        String returned;
        try {
            returned = Json.text(request.read(http.post(to.orElseThrow(), headers, body, positive)));
        } catch (CallFailedException e) {
            failure = Optional.of(e.reason());
            returned = e.returned();
        }
        return new CallResult(
                failure, returned, clock.instant(), since(start).plus(to.took()).toMillis());
    }

    private static boolean refusesVersion(CallResult result) {
        return result.failure().filter(InvocationFailure::isRpcError).isPresent()
                && A2aAnswer.refusesVersion(Json.stored(result.returned()));
    }

    private static boolean answersInVersion(CallResult result) {
        return result.failure()
                .map(failure -> failure.isRpcError() || failure.isTask())
                .orElse(true);
    }

    /** Writes only where the call shows something new. A short timeout of the caller's choice shows nothing. */
    private void store(Admitted agent, CallResult result, A2aVersion spoken, Duration timeout) {
        ConnectionState before = agent.connection();
        Optional<InvocationFailure> failure = result.failure();
        Expectations expected = agent.agent().basis().expectations();
        try {
            if (failure.map(InvocationFailure::isAnswer).orElse(true)) {
                if (before.spoken() != spoken || before.timeoutsInRow() > 0) {
                    connections.answered(agent.agent(), spoken);
                }
            } else if (failure.get().isTimeout() && !failure.get().mayBeOfCaller(timeout, expected)) {
                connections.timedOut(agent.agent());
            }
        } catch (RuntimeException e) {
            log.failure("connection_state_not_stored", agent.id(), e);
        }
    }

    /** The clock may go back. */
    private Duration since(Instant start) {
        Instant now = clock.instant();
        return now.isBefore(start) ? Duration.ZERO : Duration.between(start, now);
    }
}
