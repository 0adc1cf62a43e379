package dev.agenthealth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client for few requests behaves as the usual client. */
class ConnectionTransportTest {

    private HttpServer server;
    private final List<String> requests = new ArrayList<>();
    private int status = 200;
    private String answer = "{\"agent_id\":\"a\"}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-API-Key") + " " + body);
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"agent-health\"");
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/");
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private AgentHealthClient client() {
        return AgentHealthClient.builder(
                        "http://127.0.0.1:" + server.getAddress().getPort())
                .fewRequests()
                .apiKey("ahk_key")
                .maxRetryTime(Duration.ZERO)
                .drainOnShutdown(false)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH"})
    void a_body_is_sent_and_an_answer_is_read(String method) {
        try (AgentHealthClient client = client()) {
            assertThat(client.call(method, "/v1/x%20y?a=b", Map.of("name", "é"))
                            .path("agent_id")
                            .asText())
                    .isEqualTo("a");
        }
        assertThat(requests).containsExactly(method + " /v1/x%20y?a=b ahk_key {\"name\":\"é\"}");
    }

    @Test
    void an_answer_without_a_body_is_an_empty_object() {
        status = 204;
        answer = "";
        try (AgentHealthClient client = client()) {
            assertThat(client.call("DELETE", "/v1/x", Map.of())).isEmpty();
        }
    }

    @Test
    void a_refused_key_is_typed_and_not_tried_again() {
        status = 401;
        answer = "{\"error\":\"unauthenticated\",\"detail\":\"no such key\"}";
        try (AgentHealthClient client = client()) {
            assertThatExceptionOfType(UnauthenticatedException.class)
                    .isThrownBy(() -> client.call("POST", "/v1/x", Map.of("a", 1)))
                    .satisfies(refusal -> assertThat(refusal.detail()).isEqualTo("no such key"));
        }
        assertThat(requests).hasSize(1);
    }

    @Test
    void no_redirect_is_followed() {
        status = 302;
        try (AgentHealthClient client = client()) {
            assertThatExceptionOfType(UnexpectedAnswerException.class)
                    .isThrownBy(() -> client.call("GET", "/v1/x", Map.of()));
        }
        assertThat(requests).hasSize(1);
    }

    @Test
    void a_server_that_is_away_is_unreachable() {
        server.stop(0);
        try (AgentHealthClient client = client()) {
            assertThatExceptionOfType(RegistryUnreachableException.class)
                    .isThrownBy(() -> client.call("GET", "/v1/x", Map.of()));
        }
    }
}
