package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.gateway.AdmissionCheck.Admitted;
import dev.agenthealth.functions.gateway.a2a.A2aAnswer;
import dev.agenthealth.functions.gateway.a2a.A2aRequest;
import dev.agenthealth.functions.gateway.a2a.A2aWire;
import dev.agenthealth.functions.health.CardInterface;
import dev.agenthealth.functions.health.OwnCards;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.Destination;
import dev.agenthealth.functions.runtime.outbound.HttpStream;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.storage.invocations.ConnectionStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.ConnectionState;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.TraceContext;
import dev.agenthealth.model.registry.lifecycle.SignOfLife;
import dev.agenthealth.model.registry.profile.A2aBinding;
import dev.agenthealth.model.registry.profile.A2aProtocol;
import dev.agenthealth.model.registry.profile.A2aVersion;
import dev.agenthealth.model.registry.profile.AgentProfile;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Calls agents. Stores what a call shows about the connection, and records a successful call as a sign of life. Thread-safe. */
final class AgentCalls {

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

    /**
     * The redirects that ask for the same request at another path. Routers send them if they serve a longer path than the requested one.
     */
    private static final Set<Integer> REPEATED_ELSEWHERE = Set.of(307, 308);

    private static final Set<Integer> UNKNOWN_PATH = Set.of(404, 405);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final ConnectionStore connections;
    private final Function<AgentProfile, List<CardInterface>> cards;
    private final DeclaredSigns signsOfLife;
    private final Log log;
    private final Clock clock;

    /** @param cards returns the interfaces in the card of an agent; empty if the card has none */
    AgentCalls(
            AddressCheck addresses,
            PinnedHttpClient http,
            ConnectionStore connections,
            Function<AgentProfile, List<CardInterface>> cards,
            DeclaredSigns signsOfLife,
            Log log,
            Clock clock) {
        this.addresses = addresses;
        this.http = http;
        this.connections = connections;
        this.cards = cards;
        this.signsOfLife = signsOfLife;
        this.log = log;
        this.clock = clock;
    }

    /**
     * The addresses of an agent's host.
     *
     * @param failure the reason if there is no address
     * @param took the time of the resolution, which is part of the call's timeout and latency
     */
    record Resolution(Optional<Destination> destination, Optional<CallFailedException> failure, Duration took) {

        /** Returns the destination of a request, which always has the addresses that were checked. */
        private Destination of(A2aWire wire) {
            failure.ifPresent(reason -> {
                throw reason;
            });
            Destination checked = destination.orElseThrow();
            return new Destination(wire.endpoint(checked.endpoint()), checked.addresses());
        }
    }

    /**
     * Resolves the host name of an agent and checks the addresses.
     *
     * @throws CallFailedException if the host name leads to a forbidden address; then there is no call to record
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
     * Sends a request to an agent and waits for the answer. If the answer shows that the agent processed nothing, the request is sent again
     * in another version or binding. A successful call is a sign of life if the agent declares calls as such.
     *
     * @param question the request in each version
     * @param timeout the timeout for resolution and call together
     */
    CallResult call(
            Admitted agent,
            Resolution to,
            Function<A2aVersion, A2aRequest> question,
            TraceContext trace,
            Duration timeout) {
        Instant start = clock.instant();
        Attempt<String> last = attempts(agent, timeout.minus(to.took()), protocol -> {
            A2aWire wire = A2aWire.of(question.apply(protocol.version()), protocol);
            Duration left = left(timeout.minus(to.took()), start);
            return sent(
                    wire,
                    () -> Json.text(wire.read(http.send(to.of(wire), wire.question(agent.headers(trace)), left))));
        });
        CallResult result = new CallResult(
                last.failure().map(CallFailedException::reason),
                last.answer().orElseGet(() -> last.failure().orElseThrow().returned()),
                clock.instant(),
                since(start).plus(to.took()).toMillis());
        ended(agent, result, last.protocol(), timeout);
        return result;
    }

    /**
     * The last of several attempts to call an agent.
     *
     * @param protocol the protocol in which the agent answered, as far as known
     * @param answer the answer; empty after a failure
     */
    private record Attempt<T>(A2aProtocol protocol, Optional<T> answer, Optional<CallFailedException> failure) {

        static <T> Attempt<T> of(A2aProtocol protocol, Function<A2aProtocol, T> call) {
            try {
                return new Attempt<>(protocol, Optional.of(call.apply(protocol)), Optional.empty());
            } catch (CallFailedException e) {
                return new Attempt<>(protocol, Optional.empty(), Optional.of(e));
            }
        }

        private boolean failed(InvocationFailure... reasons) {
            return failure.filter(e -> List.of(reasons).contains(e.reason())).isPresent();
        }

        /** Returns whether the agent knows neither the method nor the path in this version. */
        boolean refusesVersion() {
            boolean byPath = protocol.binding() == A2aBinding.HTTP_JSON && failed(InvocationFailure.CLIENT_ERROR);
            return byPath || failure.filter(AgentCalls::refusesVersion).isPresent();
        }

        /** Returns whether the answer does not belong to the binding. */
        boolean isOfOtherBinding() {
            return refusedBeforeWork() || failed(InvocationFailure.MALFORMED, InvocationFailure.CONNECTION_LOST);
        }

        /**
         * Returns whether the HTTP status says that the request was not processed. A redirect that asks for the same request elsewhere says so too.
         */
        boolean refusedBeforeWork() {
            boolean repeatable = failure.flatMap(CallFailedException::refusal)
                    .filter(refusal -> REPEATED_ELSEWHERE.contains(refusal.status()))
                    .isPresent();
            return repeatable || failed(InvocationFailure.CLIENT_ERROR, InvocationFailure.MESSAGE_REFUSED);
        }

        /**
         * Returns whether this attempt is more informative than an attempt in the other version. An error in version 0.3 is less
         * informative if the agent knew the path in version 1.0.
         */
        boolean saysMoreThan(Attempt<T> before) {
            boolean knownPath = before.failure
                    .flatMap(CallFailedException::refusal)
                    .filter(refusal -> !UNKNOWN_PATH.contains(refusal.status()))
                    .isPresent();
            return !refusesVersion() && !(knownPath && isOlderThan(before) && isRpcError());
        }

        private boolean isOlderThan(Attempt<T> before) {
            return protocol.version() == A2aVersion.V0_3 && before.protocol.version() == A2aVersion.V1_0;
        }

        private boolean isRpcError() {
            return failure.filter(e -> e.reason().isRpcError()).isPresent();
        }

        /** Returns this attempt with the protocol that was known before, if it shows none itself. */
        Attempt<T> after(Attempt<T> before) {
            // An agent of version 1.0 may take the path of version 0.3 for the path of an unknown task, and refuse it.
            boolean shown = failure.map(e -> e.reason().isTask()).orElse(true) || isRpcError() && !isOlderThan(before);
            return shown ? this : new Attempt<>(before.protocol, answer, failure);
        }
    }

    /**
     * Calls an agent in the last known version and binding. If the agent does not know that version, for example after a rollback, it is called in
     * the other version. If it does not speak the binding, it is called as its card says.
     */
    private <T> Attempt<T> attempts(Admitted agent, Duration timeout, Function<A2aProtocol, T> call) {
        Instant start = clock.instant();
        A2aProtocol spoken = agent.connection().spoken();
        Attempt<T> last = Attempt.of(spoken, call);
        if (last.refusesVersion()) {
            Attempt<T> other = Attempt.of(spoken.in(spoken.version().other()), call);
            last = other.saysMoreThan(last) ? other.after(last) : last;
        }
        boolean late = since(start).plus(OwnCards.TIMEOUT).compareTo(timeout) > 0;
        if (late || !last.isOfOtherBinding()) {
            return last;
        }
        List<CardInterface> named = cards.apply(agent.agent());
        if (named.isEmpty()) {
            return last;
        }
        Optional<A2aProtocol> other = CardInterface.preferred(named).flatMap(CardInterface::protocol);
        if (other.isEmpty()) {
            return new Attempt<>(
                    spoken,
                    Optional.empty(),
                    Optional.of(new CallFailedException(InvocationFailure.BINDING_NOT_SUPPORTED)));
        }
        boolean same = other.get().binding() == spoken.binding()
                && other.get().tenant().equals(spoken.tenant());
        return same || !last.refusedBeforeWork()
                ? last
                : Attempt.of(other.get(), call).after(last);
    }

    /** Runs a step of a call. If the step fails with an A2A error in its response, throws that error instead. */
    private static <T> T sent(A2aWire wire, Supplier<T> step) {
        try {
            return step.get();
        } catch (CallFailedException e) {
            throw wire.failure(e);
        }
    }

    private void ended(Admitted agent, CallResult result, A2aProtocol protocol, Duration timeout) {
        store(agent, result, protocol, timeout);
        if (result.succeeded()) {
            signsOfLife.record(agent.stored().pulse(), SignOfLife.CALLS);
        }
    }

    /**
     * A streamed answer that has begun.
     *
     * @param wire the request that it answers
     */
    record Opened(Admitted agent, A2aWire wire, A2aProtocol protocol, HttpStream stream, Instant start) {}

    /**
     * Sends a request with a streamed answer to an agent, in several attempts like {@link #call}. The caller has to call {@link #ended} after that.
     *
     * @param question the request in each version
     * @param head the timeout until the answer begins, for all attempts
     * @param longest the timeout until the answer ends
     * @throws CallFailedException if no answer begins
     */
    Opened open(
            Admitted agent,
            Resolution to,
            Function<A2aVersion, A2aRequest> question,
            TraceContext trace,
            Duration head,
            Duration longest) {
        Instant start = clock.instant();
        Attempt<Opened> last = attempts(agent, head, protocol -> {
            A2aWire wire = A2aWire.of(question.apply(protocol.version()), protocol);
            Map<String, String> headers = new HashMap<>(agent.headers(trace));
            headers.put("Accept", "text/event-stream, application/json");
            return sent(wire, () -> {
                HttpStream stream = http.open(to.of(wire), wire.question(headers), left(head, start), longest);
                try {
                    stream.whole().ifPresent(wire::read);
                    return new Opened(agent, wire, protocol, stream, start);
                } catch (RuntimeException e) {
                    stream.close();
                    throw e;
                }
            });
        });
        return last.answer().orElseThrow(() -> last.failure().orElseThrow());
    }

    /** Stores what a call shows whose streamed answer did not begin, and returns its result. */
    CallResult notBegun(Admitted agent, CallFailedException e, Instant start, Duration head) {
        CallResult result = new CallResult(
                Optional.of(e.reason()),
                e.returned(),
                clock.instant(),
                since(start).toMillis());
        store(agent, result, agent.connection().spoken(), head);
        return result;
    }

    /** Stores what the call of a streamed answer shows, and returns its result. */
    CallResult ended(Opened opened, Optional<InvocationFailure> failure, String returned, Duration timeout) {
        CallResult result = new CallResult(
                failure, returned, clock.instant(), since(opened.start()).toMillis());
        ended(opened.agent(), result, opened.protocol(), timeout);
        return result;
    }

    private static boolean refusesVersion(CallFailedException failure) {
        return failure.reason().isRpcError() && A2aAnswer.refusesVersion(Json.stored(failure.returned()));
    }

    /** Stores what a call shows, if it is new. A timeout that the caller chose too short shows nothing about the agent. */
    private void store(Admitted agent, CallResult result, A2aProtocol spoken, Duration timeout) {
        ConnectionState before = agent.connection();
        Optional<InvocationFailure> failure = result.failure();
        Expectations expected = agent.agent().basis().expectations();
        try {
            if (failure.map(InvocationFailure::isAnswer).orElse(true)) {
                if (!before.spoken().equals(spoken) || before.timeoutsInRow() > 0) {
                    connections.answered(agent.agent(), spoken);
                }
            } else if (failure.get().isTimeout() && !failure.get().mayBeOfCaller(timeout, expected)) {
                connections.timedOut(agent.agent());
            }
        } catch (RuntimeException e) {
            log.failure("connection_state_not_stored", agent.id(), e);
        }
    }

    private Duration left(Duration timeout, Instant start) {
        Duration left = timeout.minus(since(start));
        return left.compareTo(MIN_TIMEOUT) < 0 ? MIN_TIMEOUT : left;
    }

    /** Returns the time since a start, at least zero, as the clock may go back. */
    private Duration since(Instant start) {
        Instant now = clock.instant();
        return now.isBefore(start) ? Duration.ZERO : Duration.between(start, now);
    }
}
