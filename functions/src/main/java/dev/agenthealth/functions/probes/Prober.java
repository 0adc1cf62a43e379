package dev.agenthealth.functions.probes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.outbound.AddressCheck;
import dev.agenthealth.functions.outbound.CallFailedException;
import dev.agenthealth.functions.outbound.HttpAnswer;
import dev.agenthealth.functions.outbound.PinnedHttpClient;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.profile.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks one agent. Follows no redirects and reads at most {@link HttpAnswer#MAX_BYTES}. Thread-safe. */
final class Prober {

    private static final JsonMapper MAPPER = new JsonMapper();

    /** The version that most servers speak; one that speaks another answers with its own. */
    private static final String MCP_VERSION = "2025-06-18";

    private final AddressCheck addresses;
    private final PinnedHttpClient http;
    private final String userAgent;
    private final Clock clock;

    /**
     * @param userAgent names the registry to the operators of agents
     * @param clock measures the duration of answers
     */
    Prober(AddressCheck addresses, PinnedHttpClient http, String userAgent, Clock clock) {
        this.addresses = addresses;
        this.http = http;
        this.userAgent = userAgent;
        this.clock = clock;
    }

    /**
     * Returns the answer of an agent; never fails.
     *
     * @param endpoint where the agent is called; empty for none
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
        } catch (JsonProcessingException e) {
            failure = "no JSON";
        }
        return new ProbeAnswer(failure, exchange.declared, clock.millis() - begun, exchange.certificateEnds, isOfHost);
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

    /** The questions of one probe, within one time limit. */
    private final class Exchange {

        private final Watch watch;
        private final String endpoint;
        private final Map<String, String> credentials;
        private final long begun;
        private String declared = "";
        private Optional<Instant> certificateEnds = Optional.empty();

        Exchange(Watch watch, String endpoint, Map<String, String> credentials, long begun) {
            this.watch = watch;
            this.endpoint = endpoint;
            this.credentials = credentials;
            this.begun = begun;
        }

        /** Returns why the agent does not count as alive; empty where it does. */
        String failure() throws JsonProcessingException {
            return switch (watch.by()) {
                case HTTP -> ofHttp(get());
                case A2A -> ofCard(get());
                case AGENT_HEALTH -> ofDocument(get());
                case MCP -> ofServer();
            };
        }

        private String ofHttp(HttpAnswer answer) {
            if (!watch.accepts(answer.status())) {
                return "HTTP " + answer.status();
            }
            return answer.text().contains(watch.contains()) ? "" : "does not contain '" + watch.contains() + "'";
        }

        private String ofCard(HttpAnswer answer) throws JsonProcessingException {
            if (answer.status() != 200) {
                return "HTTP " + answer.status();
            }
            JsonNode card = MAPPER.readTree(answer.text());
            if (!card.path("name").isTextual()) {
                return "no agent card";
            }
            // A2A 0.3 names one address, 1.0 a list of them. An agent that is only watched has no endpoint to compare.
            boolean named = endpoint.isEmpty() || isSame(card.path("url")) || isSame(card.findValuesAsText("url"));
            return named ? "" : "the card does not name the endpoint";
        }

        private boolean isSame(JsonNode url) {
            return withoutSlash(url.asText()).equals(withoutSlash(endpoint));
        }

        private boolean isSame(Iterable<String> urls) {
            for (String url : urls) {
                if (withoutSlash(url).equals(withoutSlash(endpoint))) {
                    return true;
                }
            }
            return false;
        }

        private String ofDocument(HttpAnswer answer) throws JsonProcessingException {
            if (answer.status() != 200) {
                return "HTTP " + answer.status();
            }
            JsonNode document = MAPPER.readTree(answer.text());
            Optional<HealthStatus> status = WireNamed.find(
                    HealthStatus.class, document.path("health").path("status").asText());
            if (status.isEmpty() || !document.path("schema_version").isTextual()) {
                return "no health document";
            }
            declared = status.get().wireName();
            return "";
        }

        /** The handshake that servers of all versions understand, and the list of tools. */
        private String ofServer() throws JsonProcessingException {
            ObjectNode initialize = rpc("initialize", 1);
            ObjectNode parameters = initialize.putObject("params").put("protocolVersion", MCP_VERSION);
            parameters.putObject("capabilities");
            parameters.putObject("clientInfo").put("name", "agent-health").put("version", "1");
            HttpAnswer begun = post(initialize, Map.of());
            if (begun.status() != 200) {
                return "HTTP " + begun.status();
            }
            JsonNode result = MAPPER.readTree(begun.text()).path("result");
            if (!result.path("protocolVersion").isTextual()) {
                return "no MCP server";
            }
            Map<String, String> session = new HashMap<>();
            session.put("MCP-Protocol-Version", result.path("protocolVersion").asText());
            if (!begun.session().isEmpty()) {
                session.put("Mcp-Session-Id", begun.session());
            }
            ObjectNode initialized =
                    MAPPER.createObjectNode().put("jsonrpc", "2.0").put("method", "notifications/initialized");
            post(initialized, session);
            if (!result.path("capabilities").has("tools")) {
                return "";
            }
            HttpAnswer tools = post(rpc("tools/list", 2), session);
            if (tools.status() != 200) {
                return "HTTP " + tools.status() + " to tools/list";
            }
            return MAPPER.readTree(tools.text()).path("result").path("tools").isArray() ? "" : "no list of tools";
        }

        private ObjectNode rpc(String method, int id) {
            return MAPPER.createObjectNode().put("jsonrpc", "2.0").put("id", id).put("method", method);
        }

        private HttpAnswer get() {
            return ask(Map.of("Accept", "*/*"), Optional.empty());
        }

        private HttpAnswer post(ObjectNode message, Map<String, String> session) {
            Map<String, String> headers = new HashMap<>(session);
            headers.put("Accept", "application/json, text/event-stream");
            return ask(headers, Optional.of(message.toString().getBytes(StandardCharsets.UTF_8)));
        }

        private HttpAnswer ask(Map<String, String> headers, Optional<byte[]> body) {
            Duration left = Duration.ofSeconds(watch.timeoutSeconds()).minusMillis(clock.millis() - begun);
            if (left.toMillis() <= 0) {
                throw new CallFailedException(InvocationFailure.TIMEOUT);
            }
            Endpoint address = watch.address(endpoint)
                    .flatMap(Endpoint::of)
                    .orElseThrow(() -> new CallFailedException(InvocationFailure.ENDPOINT_NOT_ALLOWED));
            Map<String, String> all = new HashMap<>(credentials);
            all.putAll(headers);
            all.put("User-Agent", userAgent);
            HttpAnswer answer = http.ask(addresses.destination(address, left), all, body, left);
            certificateEnds = answer.certificateEnds();
            return answer;
        }
    }

    private static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }
}
