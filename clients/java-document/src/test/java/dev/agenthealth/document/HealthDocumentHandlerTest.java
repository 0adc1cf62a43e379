package dev.agenthealth.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.client.AgentHealthClient;
import dev.agenthealth.client.ErrorType;
import dev.agenthealth.client.ManagedAgent;
import dev.agenthealth.client.Outcome;
import dev.agenthealth.client.Registration;
import dev.agenthealth.client.gate.Decision;
import dev.agenthealth.client.gate.HealthGate;
import dev.agenthealth.client.gate.Reason;
import dev.agenthealth.testkit.HealthDocumentSchema;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that serves its document from the JDK's HTTP server. */
class HealthDocumentHandlerTest {

    private final MutableClock clock = MutableClock.atExampleTime();
    private final OwnHealth health =
            OwnHealth.builder("https://agent.example.com").clock(clock).build();
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(HealthDocumentHandler.PATH, new HealthDocumentHandler(health));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url() + path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @Tag("AHS-01")
    @Tag("AHS-14")
    void the_document_is_public_json_and_cached_for_a_minute() throws Exception {
        HttpResponse<String> response = send("GET", HealthDocumentHandler.PATH);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).contains("application/json");
        assertThat(response.headers().firstValue("cache-control")).contains("public, max-age=60");
        new HealthDocumentSchema().check(response.body());
    }

    @Test
    @Tag("AHS-17")
    void the_gate_reads_what_the_agent_measured() {
        HealthGate gate = HealthGate.builder().clock(clock).build();
        assertThat(gate.decide(url())).isInstanceOf(Decision.Default.class);
        for (int i = 0; i < 9; i++) {
            health.record(Outcome.success().latency(Duration.ofMillis(1_500)));
        }
        health.record(Outcome.failure(ErrorType.SERVER_ERROR));
        clock.advance(Duration.ofMinutes(5));

        assertThat(gate.decide(url())).isInstanceOfSatisfying(Decision.ProceedWithCaution.class, caution -> {
            assertThat(caution.reasons())
                    .containsExactly(Reason.DEGRADED, Reason.LOW_RESPONSE_RATIO, Reason.POSSIBLE_CRASH_LOOP);
            assertThat(caution.requestTimeout()).isBetween(Duration.ofMillis(1_425), Duration.ofMillis(1_575));
            assertThat(caution.health().sampleCount()).hasValue(10);
        });
    }

    @Test
    void the_work_of_an_agent_that_is_registered_is_measured_by_itself_too() throws Exception {
        byte[] registered =
                """
                {"agent_id":"a","incarnation":1,"version":1,"status":"active"}\
                """
                        .getBytes(StandardCharsets.UTF_8);
        server.createContext("/api/v1/agents", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(201, registered.length);
                exchange.getResponseBody().write(registered);
            }
        });
        try (AgentHealthClient registry = AgentHealthClient.of(url(), "secret")) {
            ManagedAgent agent = registry.agent(Registration.of("a"))
                    .onOutcome(health::record)
                    .closeTimeout(Duration.ZERO)
                    .start();
            for (int i = 0; i < 9; i++) {
                agent.run(() -> {});
            }
            assertThatIllegalStateException()
                    .isThrownBy(() -> agent.run(() -> {
                        throw new IllegalStateException("broken");
                    }));
        }

        JsonNode document = new JsonMapper()
                .readTree(send("GET", HealthDocumentHandler.PATH).body());

        assertThat(document.at("/calibration/sample_count").asInt()).isEqualTo(10);
        assertThat(document.at("/calibration/response_ratio").asDouble()).isEqualTo(0.9);
        assertThat(document.at("/health/status").asText()).isEqualTo("degraded");
    }

    @Test
    void a_document_that_changed_only_with_time_is_not_sent_again() throws Exception {
        String tag = send("GET", HealthDocumentHandler.PATH)
                .headers()
                .firstValue("etag")
                .orElseThrow();
        clock.advance(Duration.ofMinutes(2));

        HttpResponse<String> unchanged = send("GET", HealthDocumentHandler.PATH, "If-None-Match", "\"x\", " + tag);
        health.record(Outcome.success());
        clock.advance(Duration.ofMinutes(2));
        HttpResponse<String> changed = send("GET", HealthDocumentHandler.PATH, "If-None-Match", tag);

        assertThat(unchanged.statusCode()).isEqualTo(304);
        assertThat(unchanged.headers().firstValue("etag")).contains(tag);
        assertThat(unchanged.body()).isEmpty();
        assertThat(changed.statusCode()).isEqualTo(200);
    }

    @Test
    void the_head_has_no_body() throws Exception {
        HttpResponse<String> response = send("HEAD", HealthDocumentHandler.PATH);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("etag")).isPresent();
        assertThat(response.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "TRACE"})
    void other_methods_are_refused(String method) throws Exception {
        HttpResponse<String> response = send(method, HealthDocumentHandler.PATH);

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains("GET, HEAD");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.well-known/agent-health-2", "/.well-known/agent-health/", "/.well-known/agent-health/x"})
    void only_its_own_path_serves_the_document(String path) throws Exception {
        assertThat(send("GET", path).statusCode()).isEqualTo(404);
    }
}
