package dev.agenthealth.functions.sweep.probes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.signing.CardSigner;
import dev.agenthealth.functions.api.signing.LocalCardKey;
import dev.agenthealth.functions.runtime.outbound.AddressCheck;
import dev.agenthealth.functions.runtime.outbound.PinnedHttpClient;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.EndpointRule;
import dev.agenthealth.model.registry.profile.CardSignature;
import dev.agenthealth.model.registry.profile.Watch;
import dev.agenthealth.model.registry.profile.WatchKind;
import dev.agenthealth.testkit.Resources;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Request;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestCertificates;
import dev.agenthealth.testkit.TestJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as an answer of an agent that lives, over real sockets. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ProberTest {

    private static final String HOST = "agent.test";
    private static final TestCertificates CERTIFICATES = TestCertificates.of(HOST);

    private final ScriptedServer server = ScriptedServer.http();
    private final Prober prober = new Prober(
            new AddressCheck(new EndpointRule(true), ProberTest::resolved),
            new PinnedHttpClient(SecureSockets.trusting(CERTIFICATES.trust())),
            List::of,
            "agent-health (https://registry.example)",
            Clock.systemUTC());

    private static List<InetAddress> resolved(String host) throws UnknownHostException {
        if (!host.equals(HOST)) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String url(String path) {
        return "http://" + HOST + ":" + server.port() + path;
    }

    private static Watch watch(WatchKind kind, String url) {
        return new Watch(kind, url, 60, 5, List.of(), "");
    }

    private ProbeAnswer probe(Watch watch) {
        return prober.probe(watch, "", Map.of());
    }

    @Test
    void a_probe_gets_the_address_names_the_registry_and_sends_the_credentials_of_the_agent() {
        server.plays(Script.body("ok"));
        ProbeAnswer answer =
                prober.probe(watch(WatchKind.HTTP, url("/health?full=1")), "", Map.of("Authorization", "Bearer token"));
        assertThat(answer.isAlive()).isTrue();
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.line()).isEqualTo("GET /health?full=1 HTTP/1.1");
            assertThat(request.headers())
                    .containsEntry("user-agent", "agent-health (https://registry.example)")
                    .containsEntry("authorization", "Bearer token");
        });
    }

    @ParameterizedTest
    @CsvSource({"200,''", "204,''", "301,HTTP 301", "404,HTTP 404", "503,HTTP 503"})
    void without_an_expectation_an_agent_lives_that_answers_with_success(int status, String failure) {
        server.plays(Script.status(status));
        assertThat(probe(watch(WatchKind.HTTP, url("/"))).failure()).isEqualTo(failure);
    }

    @Test
    void one_byte_order_mark_before_an_answer_is_no_part_of_it() {
        String card = "{\"name\":\"a\"}";
        server.plays(Script.body("\ufeff" + card));
        assertThat(probe(watch(WatchKind.A2A, url("/card"))).failure()).isEmpty();
        server.plays(Script.body("\ufeff\ufeff" + card));
        assertThat(probe(watch(WatchKind.A2A, url("/card"))).failure()).isNotEmpty();
        server.plays(Script.body("\ufeff{\"schema_version\":\"0.1.0\",\"health\":{\"status\":\"healthy\"}}"));
        assertThat(probe(watch(WatchKind.AGENT_HEALTH, url("/health"))).failure())
                .isEmpty();
        server.plays(Script.body("\ufeff{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\","
                + "\"capabilities\":{}}}"));
        assertThat(probe(watch(WatchKind.MCP, url("/mcp"))).failure()).isEmpty();
    }

    @Test
    void a_redirect_is_not_followed() {
        server.plays(Script.status(302, "Location: " + url("/elsewhere")));
        assertThat(probe(watch(WatchKind.HTTP, url("/"))).failure()).isEqualTo("HTTP 302");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void expected_statuses_and_texts_decide() {
        Watch watch = new Watch(WatchKind.HTTP, url("/"), 60, 5, List.of(200, 503), "idle");
        server.plays(Script.body("busy"));
        assertThat(probe(watch).failure()).isEqualTo("does not contain 'idle'");
        server.plays(Script.body("I am idle"));
        assertThat(probe(watch).failure()).isEmpty();
        server.plays(Script.status(204));
        assertThat(probe(watch).failure()).isEqualTo("HTTP 204");
    }

    @Test
    void the_reason_of_a_failure_is_what_happened() {
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
        assertThat(probe(watch(WatchKind.HTTP, url("/"))).failure()).isEqualTo("connection lost");
        server.plays(Script.bytes("garbage\r\n\r\n"));
        assertThat(probe(watch(WatchKind.HTTP, url("/"))).failure()).isIn("no HTTP answer", "connection lost");
        server.plays(Script.body("x".repeat(64 * 1024 + 1)));
        assertThat(probe(watch(WatchKind.HTTP, url("/"))).failure()).isEqualTo("answer larger than 64 KB");
        assertThat(probe(watch(WatchKind.HTTP, "http://nowhere.test/")).failure())
                .isEqualTo("unknown host");
        assertThat(probe(watch(WatchKind.HTTP, "http://10.0.0.1/")).failure()).isEqualTo("address not allowed");
        assertThat(probe(watch(WatchKind.A2A, "")).failure()).isEqualTo("address not allowed");
    }

    @Test
    void an_agent_that_does_not_listen_refuses_the_connection() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        assertThat(probe(watch(WatchKind.HTTP, url("/").replaceFirst(":[0-9]+/", ":" + port + "/")))
                        .failure())
                .isEqualTo("connection refused");
    }

    @Test
    @Tag("slow")
    void an_agent_that_accepts_and_never_answers_fails_in_time() {
        server.plays((request, out) -> server.hang());
        ProbeAnswer answer = probe(new Watch(WatchKind.HTTP, url("/"), 60, 1, List.of(), ""));
        assertThat(answer.failure()).isEqualTo("no answer within 1 s");
        assertThat(answer.millis()).isGreaterThanOrEqualTo(900);
    }

    @Test
    void the_end_of_the_certificate_is_read() {
        try (ScriptedServer secure = ScriptedServer.https(CERTIFICATES)) {
            secure.plays(Script.body("ok"));
            ProbeAnswer answer = probe(watch(WatchKind.HTTP, "https://" + HOST + ":" + secure.port() + "/"));
            assertThat(answer.failure()).isEmpty();
            assertThat(answer.certificateEnds())
                    .hasValueSatisfying(end -> assertThat(end).isAfter(Instant.EPOCH));
            assertThat(probe(watch(WatchKind.HTTP, "https://" + HOST + ":" + server.port() + "/"))
                            .failure())
                    .isEqualTo("no trusted TLS connection");
        }
    }

    @Test
    void a_card_that_names_the_endpoint_is_an_answer() {
        String endpoint = url("/a2a");
        Watch watch = watch(WatchKind.A2A, "");
        server.plays(Script.body("{\"name\":\"n\",\"url\":\"" + endpoint + "/\"}"));
        assertThat(prober.probe(watch, endpoint, Map.of()).failure()).isEmpty();
        assertThat(server.requests().get(0).line()).isEqualTo("GET /.well-known/agent-card.json HTTP/1.1");
        server.plays(Script.body("{\"name\":\"n\",\"supportedInterfaces\":[{\"url\":\"" + endpoint + "\"}]}"));
        assertThat(prober.probe(watch, endpoint, Map.of()).failure()).isEmpty();
        server.plays(Script.body("{\"name\":\"n\",\"url\":\"https://other.example\"}"));
        assertThat(prober.probe(watch, endpoint, Map.of()).failure())
                .isEqualTo("the card does not name the endpoint, but https://other.example/");
        server.plays(Script.body("{}"));
        assertThat(prober.probe(watch, endpoint, Map.of()).failure()).isEqualTo("no agent card");
        server.plays(Script.body("<html>"));
        assertThat(prober.probe(watch, endpoint, Map.of()).failure()).isEqualTo("no JSON");
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP://HOST:PORT/a2a, true",
        "http://0.0.0.0:PORT/a2a, true",
        "http://[::]:PORT/a2a/, true",
        "http://0.0.0.0:1/a2a, false",
        "http://0.0.0.0:PORT/other, false"
    })
    void a_card_may_name_the_scheme_in_capitals_or_the_address_to_which_the_agent_binds(String named, boolean alive) {
        String endpoint = url("/a2a");
        int port = Endpoint.of(endpoint).orElseThrow().port();
        String host = Endpoint.of(endpoint).orElseThrow().host().text();
        String address = named.replace("HOST", host).replace("PORT", String.valueOf(port));
        server.plays(Script.body("{\"name\":\"n\",\"url\":\"" + address + "\"}"));
        assertThat(prober.probe(watch(WatchKind.A2A, ""), endpoint, Map.of()).failure())
                .isEqualTo(alive ? "" : "the card does not name the endpoint, but " + address);
    }

    @Test
    void the_signature_of_a_card_is_verified_with_the_keys_of_its_host() {
        JsonNode fixture = TestJson.read(Resources.text("cards/python.json"));
        ObjectNode card = (ObjectNode) fixture.path("card");
        CardSigner signer = CardSigner.with(LocalCardKey.read(LocalCardKey.generate()));
        server.plays((request, out) -> Script.body(
                        request.line().contains("jwks") ? TestJson.text(signer.keys()) : TestJson.text(card))
                .play(request, out));
        Watch watch = watch(WatchKind.A2A, url("/card"));
        assertThat(probe(watch).signature()).as("of another host").contains(CardSignature.UNKNOWN_KEY);
        card.remove("signatures");
        assertThat(probe(watch).signature()).contains(CardSignature.UNSIGNED);
        signer.sign(card, url(""));
        assertThat(probe(watch).signature()).contains(CardSignature.VALID);
        assertThat(prober.probe(watch, "https://other.example/", Map.of()))
                .satisfies(
                        answer -> assertThat(answer.failure()).startsWith("the card does not name the endpoint, but "))
                .satisfies(answer -> assertThat(answer.signature()).contains(CardSignature.VALID));
        card.put("name", "altered");
        ProbeAnswer altered = probe(watch);
        assertThat(altered.signature()).contains(CardSignature.INVALID);
        assertThat(altered.isAlive()).isTrue();
        assertThat(server.requests())
                .filteredOn(request -> request.line().contains("jwks"))
                .hasSize(1);
        server.plays(Script.body("{}"));
        assertThat(probe(watch).signature()).isEmpty();
    }

    @Test
    @Tag("SYS-02")
    @Tag("slow")
    void key_sets_that_hang_delay_a_probe_by_two_seconds_in_all_and_are_not_read_again_at_once() {
        ObjectNode card = (ObjectNode) TestJson.read("{\"name\":\"n\"}");
        ArrayNode signatures = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 8; i++) {
            String header = TestJson.text(JsonNodeFactory.instance
                    .objectNode()
                    .put("alg", "ES256")
                    .put("kid", "k" + i)
                    .put("jku", url("/jwks" + i)));
            signatures
                    .addObject()
                    .put("protected", Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(UTF_8)))
                    .put("signature", "AAAA");
        }
        card.set("signatures", signatures);
        server.plays((request, out) -> {
            if (request.line().contains("jwks")) {
                server.hang();
            }
            Script.body(TestJson.text(card)).play(request, out);
        });
        long begun = Clock.systemUTC().millis();
        ProbeAnswer answer = probe(watch(WatchKind.A2A, url("/card")));
        assertThat(answer.signature()).contains(CardSignature.UNKNOWN_KEY);
        assertThat(answer.isAlive()).isTrue();
        long asked = keySetRequests();
        assertThat(asked).isBetween(1L, 2L);
        assertThat(Clock.systemUTC().millis() - begun).isLessThan(2 * Prober.KEY_SETS_LIMIT.toMillis());
        assertThat(probe(watch(WatchKind.A2A, url("/card"))).signature()).contains(CardSignature.UNKNOWN_KEY);
        assertThat(keySetRequests()).isEqualTo(asked);
    }

    private long keySetRequests() {
        return server.requests().stream()
                .filter(request -> request.line().contains("jwks"))
                .count();
    }

    @Test
    void a_health_document_is_an_answer_whatever_status_it_declares() {
        Watch watch = watch(WatchKind.AGENT_HEALTH, url("/.well-known/agent-health"));
        server.plays(Script.body(
                """
                {"schema_version":"0.1.0","health":{"status":"unhealthy"}}\
                """));
        assertThat(probe(watch))
                .satisfies(answer -> assertThat(answer.failure()).isEmpty())
                .satisfies(answer -> assertThat(answer.declared()).isEqualTo("unhealthy"));
        server.plays(Script.body("{\"health\":{\"status\":\"fine\"}}"));
        assertThat(probe(watch).failure()).isEqualTo("no health document");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_server_that_lists_its_tools_is_an_answer(boolean events) {
        server.plays((request, out) -> {
            String result = request.body().contains("\"initialize\"")
                    ? "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}}}"
                    : "{\"tools\":[]}";
            String message = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}";
            boolean asked = request.line().startsWith("POST") && !request.body().contains("notifications/initialized");
            // A server need not let its sessions be ended.
            Script script = !asked
                    ? Script.status(request.line().startsWith("DELETE") ? 405 : 202)
                    : events
                            // The stream has other messages before the answer, and stays open after it.
                            ? Script.bytes(
                                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nMcp-Session-Id: s1\r\n"
                                            + "Content-Length: 9999\r\n\r\nid: 1\ndata: \n\n: comment\n\ndata: "
                                            + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}"
                                            + "\n\nevent: message\ndata: " + message + "\n\n")
                            : Script.body(message, "Content-Type: application/json", "Mcp-Session-Id: s1");
            script.play(request, out);
            out.flush();
            if (events && asked) {
                server.hang();
            }
        });
        assertThat(probe(watch(WatchKind.MCP, url("/mcp"))).failure()).isEmpty();
        assertThat(server.requests())
                .extracting(Request::line)
                .containsExactly(
                        "POST /mcp HTTP/1.1", "POST /mcp HTTP/1.1", "POST /mcp HTTP/1.1", "DELETE /mcp HTTP/1.1");
        assertThat(server.requests().get(3).headers()).containsEntry("mcp-session-id", "s1");
        assertThat(server.requests().get(2).headers())
                .containsEntry("mcp-session-id", "s1")
                .containsEntry("mcp-protocol-version", "2025-06-18");
    }

    @ParameterizedTest
    @CsvSource({"200, 3", "500, -1", "-1, -1"})
    void all_pages_of_tools_are_read_and_one_that_is_missing_is_no_failure(int status, int tools) {
        server.plays((request, out) -> {
            int page = request.body().contains("\"cursor\":\"1\"")
                    ? 1
                    : request.body().contains("\"cursor\":\"2\"") ? 2 : 0;
            String next = page == 2 && status > 0 ? "" : ",\"nextCursor\":\"" + Math.min(page + 1, 2) + "\"";
            String result = request.body().contains("\"initialize\"")
                    ? "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}}}"
                    : "{\"tools\":[{\"name\":\"t" + page + "\"}]" + next + "}";
            (page == 2 && status == 500 ? Script.status(500) : Script.body("{\"id\":1,\"result\":" + result + "}"))
                    .play(request, out);
        });
        ProbeAnswer answer = probe(watch(WatchKind.MCP, url("/mcp")));
        assertThat(answer.failure()).isEmpty();
        assertThat(answer.declaration()
                        .map(seen -> seen.parts().hashes().size())
                        .orElse(-1))
                .isEqualTo(tools);
    }

    @Test
    void pages_of_tools_that_are_too_long_together_are_not_seen_and_the_server_lives() {
        String page = "{\"result\":{\"nextCursor\":\"1\",\"tools\":[" + "{},".repeat(20_000) + "{}]}}";
        server.plays((request, out) -> Script.body(
                        request.body().contains("tools/list")
                                ? page
                                : """
                                        {"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}\
                                        """)
                .play(request, out));
        ProbeAnswer answer = probe(watch(WatchKind.MCP, url("/mcp")));
        assertThat(answer.failure()).isEmpty();
        assertThat(answer.declaration()).isEmpty();
        assertThat(server.requests())
                .filteredOn(request -> request.body().contains("tools/list"))
                .as("pages of 60 KB up to 512 KB")
                .hasSize(9);
    }

    @Test
    void tools_that_are_too_large_are_not_seen_and_the_server_lives() {
        server.plays((request, out) -> Script.body(
                        request.body().contains("tools/list")
                                ? "{\"result\":{\"tools\":[],\"x\":\"" + "y".repeat(70_000) + "\"}}"
                                : """
                                        {"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}\
                                        """)
                .play(request, out));
        ProbeAnswer answer = probe(watch(WatchKind.MCP, url("/mcp")));
        assertThat(answer.failure()).isEmpty();
        assertThat(answer.declaration()).isEmpty();
    }

    @Test
    void a_server_that_has_no_handshake_any_more_is_asked_without_one() {
        server.plays((request, out) -> {
            String answer = request.body().contains("\"initialize\"")
                    ? """
                            "error":{"code":-32022,"data":{"supported":["2026-07-28"]}}\
                            """
                    : request.body().contains("server/discover")
                            ? """
                                    "result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}\
                                    """
                            : "\"result\":{\"tools\":[]}";
            Script.body("{\"jsonrpc\":\"2.0\",\"id\":1," + answer + "}").play(request, out);
        });
        assertThat(probe(watch(WatchKind.MCP, url("/mcp"))).failure()).isEmpty();
        assertThat(server.requests()).hasSize(3);
        assertThat(server.requests().get(2)).satisfies(request -> {
            assertThat(request.headers())
                    .containsEntry("mcp-protocol-version", "2026-07-28")
                    .containsEntry("mcp-method", "tools/list")
                    .doesNotContainKey("mcp-session-id");
            assertThat(request.body()).contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"");
        });
    }

    @ParameterizedTest
    @CsvSource({"200,no MCP server", "400,HTTP 400", "404,HTTP 404"})
    void a_server_that_refuses_both_forms_is_no_answer(int status, String failure) {
        server.plays(Script.bytes("HTTP/1.1 " + status + " Status\r\nConnection: close\r\n\r\n"
                + "{\"id\":1,\"error\":{\"code\":-32601}}"));
        assertThat(probe(watch(WatchKind.MCP, url("/mcp"))).failure()).isEqualTo(failure);
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"initialize", "tools/list"})
    void a_server_that_asks_for_a_credential_lives_and_one_that_refuses_it_does_not(String refused) {
        AtomicReference<String> header = new AtomicReference<>("WWW-Authenticate: Bearer realm=\"mcp\"\r\n");
        server.plays((request, out) -> {
            Script script = request.body().contains(refused)
                    ? Script.bytes("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n" + header.get() + "\r\n")
                    : Script.body(
                            """
                            {"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}\
                            """);
            script.play(request, out);
        });
        Watch watch = watch(WatchKind.MCP, url("/mcp"));
        assertThat(probe(watch).failure()).isEmpty();
        assertThat(prober.probe(watch, "", Map.of("Authorization", "Bearer old"))
                        .failure())
                .startsWith("HTTP 401");
        header.set("");
        assertThat(probe(watch).failure()).startsWith("HTTP 401");
    }

    @Test
    @Tag("slow")
    void the_questions_of_one_probe_share_its_time() {
        server.plays((request, out) -> {
            if (request.body().contains("\"initialize\"")) {
                Script.body(
                                """
                        {"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}\
                        """)
                        .play(request, out);
            } else {
                server.hang();
            }
        });
        long begun = System.nanoTime();
        assertThat(probe(new Watch(WatchKind.MCP, url("/mcp"), 60, 1, List.of(), ""))
                        .failure())
                .isEqualTo("no answer within 1 s");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
    }
}
