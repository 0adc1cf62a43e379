package dev.agenthealth.functions.sweep.probes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardKeys;
import dev.agenthealth.functions.api.signing.CardVerifier;
import dev.agenthealth.functions.health.CardInterface;
import dev.agenthealth.functions.registry.declarations.DeclaredDocuments;
import dev.agenthealth.functions.registry.declarations.Observation;
import dev.agenthealth.functions.runtime.json.ForeignJson;
import dev.agenthealth.functions.runtime.json.UnreadableJsonException;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.CallFailedException;
import dev.agenthealth.functions.runtime.outbound.Destination;
import dev.agenthealth.functions.runtime.outbound.HttpAnswer;
import dev.agenthealth.functions.runtime.outbound.HttpQuestion;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.gateway.CardAddress;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.registry.declaration.DeclarationKind;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.model.registry.profile.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sends a probe to one agent. Follows no redirects and reads at most {@link HttpAnswer#MAX_BYTES}. Thread-safe. */
final class Prober {

    /** The time limit for all key sets of a card together, in addition to the time limit of the probe. */
    static final Duration KEY_SETS_LIMIT = Duration.ofSeconds(2);

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final String userAgent;
    private final Clock clock;
    private final CardKeys keys;

    /**
     * @param trusted returns the keys that validate cards of every host
     * @param userAgent names the registry to the operators of agents
     * @param clock measures the duration of answers
     */
    Prober(
            AddressCheck addresses,
            PinnedHttpClient http,
            Supplier<List<String>> trusted,
            String userAgent,
            Clock clock) {
        this.addresses = addresses;
        this.http = http;
        this.userAgent = userAgent;
        this.clock = clock;
        this.keys = new CardKeys(trusted, address -> Optional.empty(), clock);
    }

    /** Verifies the signatures of a card with keys that its host publishes. */
    private CardSignature verify(ObjectNode card, String address) {
        long begun = clock.millis();
        return new CardVerifier(keys.reading(keySet -> keySet(keySet, begun))).verify(card, address);
    }

    /**
     * Returns the keys that a host publishes for its cards; empty if the host does not answer in time.
     *
     * @param begun when the verification began, in ms since 1970
     */
    private Optional<String> keySet(Endpoint address, long begun) {
        Map<String, String> headers = Map.of("Accept", "application/json", "User-Agent", userAgent);
        try {
            HttpAnswer answer = ask(address, HttpQuestion.get(headers), KEY_SETS_LIMIT, begun);
            return answer.status() == 200 ? Optional.of(answer.text()) : Optional.empty();
        } catch (CallFailedException e) {
            return Optional.empty();
        }
    }

    /**
     * Resolves an address and sends a request, both within one time limit.
     *
     * @param begun when the time began, in ms since 1970
     * @throws CallFailedException if no time is left, or the request failed
     */
    private HttpAnswer ask(Endpoint address, HttpQuestion question, Duration limit, long begun) {
        Destination destination = addresses.destination(address, left(limit, begun));
        return http.ask(destination, question, left(limit, begun));
    }

    private Duration left(Duration limit, long begun) {
        Duration left = limit.minusMillis(clock.millis() - begun);
        if (left.toMillis() <= 0) {
            throw new CallFailedException(InvocationFailure.TIMEOUT);
        }
        return left;
    }

    /**
     * Sends a probe to an agent and returns the answer. Never fails.
     *
     * @param endpoint the address at which the agent is called; empty for no address
     * @param credentials headers that the agent requires
     */
    ProbeAnswer probe(Watch watch, String endpoint, Map<String, String> credentials) {
        long begun = clock.millis();
        Exchange exchange = new Exchange(watch, endpoint, credentials, begun);
        String failure;
        boolean isOfHost = true;
        try {
            failure = exchange.failure();
        } catch (CallFailedException e) {
            failure = text(e.reason(), watch);
            isOfHost = !isTimeout(e.reason());
        } catch (UnreadableJsonException e) {
            failure = "no JSON";
        }
        long millis = clock.millis() - begun;
        exchange.end();
        Optional<CardSignature> signature =
                exchange.card.map(card -> verify(card, watch.address(endpoint).orElseThrow()));
        return new ProbeAnswer(
                failure,
                exchange.declared,
                millis,
                exchange.certificateEnds,
                signature,
                failure.isEmpty() ? exchange.declaration() : Optional.empty(),
                isOfHost);
    }

    private static boolean isTimeout(InvocationFailure failure) {
        return failure == InvocationFailure.CONNECT_TIMEOUT || failure == InvocationFailure.TIMEOUT;
    }

    private static String text(InvocationFailure failure, Watch watch) {
        return switch (failure) {
            case UNKNOWN_HOST -> "unknown host";
            case CONNECTION_REFUSED -> "connection refused";
            case TLS_FAILED -> "no trusted TLS connection";
            case CERTIFICATE_EXPIRED -> "certificate expired";
            case CONNECT_TIMEOUT -> "no connection in time";
            case TIMEOUT -> "no answer within " + watch.timeoutSeconds() + " s";
            case CONNECTION_LOST -> "connection lost";
            case TOO_LARGE -> "answer larger than 64 KB";
            case ENDPOINT_NOT_ALLOWED -> "address not allowed";
            default -> "no HTTP answer";
        };
    }

    /** The requests of one probe, within one time limit. */
    private final class Exchange implements McpProbe.Connection {

        private final Watch watch;
        private final String endpoint;
        private final Map<String, String> credentials;
        private final long begun;
        private final McpProbe mcp = new McpProbe(this);
        private String declared = "";
        private Optional<Instant> certificateEnds = Optional.empty();
        private Optional<ObjectNode> card = Optional.empty();

        Exchange(Watch watch, String endpoint, Map<String, String> credentials, long begun) {
            this.watch = watch;
            this.endpoint = endpoint;
            this.credentials = credentials;
            this.begun = begun;
        }

        /** Returns why the agent does not count as alive; empty if it does. */
        String failure() {
            return switch (watch.by()) {
                case HTTP -> ofHttp(get());
                case A2A -> ofCard(get());
                case AGENT_HEALTH -> ofDocument(get());
                case MCP -> mcp.failure();
            };
        }

        Optional<Observation> declaration() {
            return card.map(seen -> new Observation(DeclarationKind.CARD, DeclaredDocuments.ofCard(seen)))
                    .or(() -> mcp.tools()
                            .map(seen -> new Observation(DeclarationKind.TOOLS, DeclaredDocuments.ofTools(seen))));
        }

        /** Ends the session of the probe. An agent that refuses this is still alive. */
        void end() {
            try {
                mcp.end();
            } catch (CallFailedException e) {
                // The server ends the session by itself.
            }
        }

        private String ofHttp(HttpAnswer answer) {
            if (!watch.accepts(answer.status())) {
                return "HTTP " + answer.status();
            }
            return answer.text().contains(watch.contains()) ? "" : "does not contain '" + watch.contains() + "'";
        }

        private String ofCard(HttpAnswer answer) {
            if (answer.status() != 200) {
                return "HTTP " + answer.status();
            }
            JsonNode read = ForeignJson.read(answer.text());
            if (!(read instanceof ObjectNode json) || !json.path("name").isTextual()) {
                return "no agent card";
            }
            card = Optional.of(json);
            // A2A 0.3 has one address, 1.0 a list of addresses. A watched agent without an endpoint has no address to
            // compare.
            boolean named = endpoint.isEmpty()
                    || json.findValuesAsText("url").stream().anyMatch(address -> CardAddress.names(address, endpoint));
            return named
                    ? ""
                    : "the card does not name the endpoint, but "
                            + CardAddress.shown(CardInterface.of(json).stream()
                                    .map(CardInterface::url)
                                    .toList());
        }

        private String ofDocument(HttpAnswer answer) {
            if (answer.status() != 200) {
                return "HTTP " + answer.status();
            }
            JsonNode document = ForeignJson.read(answer.text());
            Optional<HealthStatus> status = WireNamed.find(
                    HealthStatus.class, document.path("health").path("status").asText());
            if (status.isEmpty() || !document.path("schema_version").isTextual()) {
                return "no health document";
            }
            declared = status.get().wireName();
            return "";
        }

        private HttpAnswer get() {
            return ask(HttpQuestion.get(Map.of("Accept", "*/*")));
        }

        @Override
        public HttpAnswer post(String message, Map<String, String> headers, Predicate<String> isAnswer) {
            Map<String, String> all = new HashMap<>(headers);
            all.put("Accept", "application/json, text/event-stream");
            return ask(new HttpQuestion("POST", all, Optional.of(message.getBytes(StandardCharsets.UTF_8)), isAnswer));
        }

        @Override
        public boolean hasCredential() {
            return !credentials.isEmpty();
        }

        @Override
        public void delete(Map<String, String> headers) {
            ask(new HttpQuestion("DELETE", headers, Optional.empty(), event -> true));
        }

        private HttpAnswer ask(HttpQuestion question) {
            Endpoint address = watch.address(endpoint)
                    .flatMap(Endpoint::of)
                    .orElseThrow(() -> new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED));
            Map<String, String> all = new HashMap<>(credentials);
            all.putAll(question.headers());
            all.put("User-Agent", userAgent);
            HttpAnswer answer = Prober.this.ask(
                    address,
                    new HttpQuestion(question.method(), all, question.body(), question.isAnswer()),
                    Duration.ofSeconds(watch.timeoutSeconds()),
                    begun);
            certificateEnds = answer.certificateEnds();
            return answer;
        }
    }
}
