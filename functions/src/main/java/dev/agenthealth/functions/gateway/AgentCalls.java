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
import dev.agenthealth.functions.outbound.HttpStream;
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
        ended(agent, result, version, timeout);
        return result;
    }

    private void ended(Admitted agent, CallResult result, A2aVersion version, Duration timeout) {
        store(agent, result, version, timeout);
        if (result.succeeded()) {
            signsOfLife.record(agent.stored().pulse(), SignOfLife.CALLS);
        }
    }

    /**
     * An answer in parts that has begun.
     *
     * @param request the request that it answers
     */
    record Opened(Admitted agent, A2aRequest request, HttpStream stream, Instant start) {}

    /**
     * Sends a request to an agent whose answer comes in parts, in version 1.0 as well where the agent does not know the method of 0.3. {@link #ended} follows.
     *
     * @param question the request in each version
     * @param head until the answer begins
     * @param longest until it ends
     * @throws CallFailedException where no answer begins
     */
    Opened open(
            Admitted agent,
            Resolution to,
            Function<A2aVersion, A2aRequest> question,
            TraceContext trace,
            Duration head,
            Duration longest) {
        Instant start = clock.instant();
        Function<A2aVersion, Opened> open = version -> {
            A2aRequest request = question.apply(version);
            Map<String, String> headers = new HashMap<>(agent.headers(trace));
            headers.putAll(request.headers());
            headers.put("Accept", "text/event-stream, application/json");
            byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
            HttpStream stream = http.open(to.orElseThrow(), headers, body, head, longest);
            try {
                stream.whole().ifPresent(request::read);
                return new Opened(agent, request, stream, start);
            } catch (RuntimeException e) {
                stream.close();
                throw e;
            }
        };
        try {
            return open.apply(agent.connection().spoken());
        } catch (CallFailedException e) {
            if (agent.connection().spoken() == A2aVersion.V0_3 && refusesVersion(failed(e, start))) {
                return newer(open, e, start);
            }
            throw e;
        }
    }

    private Opened newer(Function<A2aVersion, Opened> open, CallFailedException older, Instant start) {
        try {
            return open.apply(A2aVersion.V1_0);
        } catch (CallFailedException e) {
            throw refusesVersion(failed(e, start)) ? older : e;
        }
    }

    /** Stores what a call has shown whose answer in parts did not begin, and returns its result. */
    CallResult notBegun(Admitted agent, CallFailedException e, Instant start, Duration head) {
        CallResult result = failed(e, start);
        store(agent, result, agent.connection().spoken(), head);
        return result;
    }

    private CallResult failed(CallFailedException e, Instant start) {
        return new CallResult(
                Optional.of(e.reason()),
                e.returned(),
                clock.instant(),
                since(start).toMillis());
    }

    /** Stores what an answer in parts has shown, and returns its result. */
    CallResult ended(Opened opened, Optional<InvocationFailure> failure, String returned, Duration timeout) {
        CallResult result = new CallResult(
                failure, returned, clock.instant(), since(opened.start()).toMillis());
        ended(opened.agent(), result, opened.request().version(), timeout);
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
