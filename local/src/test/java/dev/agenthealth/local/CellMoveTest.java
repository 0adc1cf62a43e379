package dev.agenthealth.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.local.testing.HttpCaller;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
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

/** The steps of {@code docs/operations/cells.md}, "Move an owner", with two registries and the host name of the owner in front of them. */
@Tag("slow")
class CellMoveTest {

    private static final String ADMINISTRATOR = "test-administrator-key";
    private static final String WORKER = "/api/v1/agents/worker";
    private static final String REGISTRATION =
            """
            {"agent_id":"worker","role_id":"billing","heartbeat_config":
             {"interval_seconds":5,"unhealthy_after_seconds":10,"dead_after_seconds":20}}""";
    private static final String BY_ADMINISTRATOR =
            REGISTRATION.replace("{\"agent_id\"", "{\"owner_key_id\":\"administrator\",\"agent_id\"");
    private static final JsonMapper MAPPER = new JsonMapper();

    private final MutableClock clock = MutableClock.atExampleTime();
    private LocalSystem former;
    private LocalSystem next;
    private HostName name;

    private record Answer(int status, JsonNode json) {}

    /** The host name of an owner. It leads to one cell at a time. */
    private static final class HostName implements AutoCloseable {

        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final HttpServer server;
        private volatile String cell;

        HostName(LocalSystem cell) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", this::forward);
            server.start();
            leadsTo(cell);
        }

        void leadsTo(LocalSystem cell) {
            this.cell = cell.baseUrl();
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        private void forward(HttpExchange exchange) throws IOException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(cell + exchange.getRequestURI()))
                    .method(
                            exchange.getRequestMethod(),
                            HttpRequest.BodyPublishers.ofByteArray(
                                    exchange.getRequestBody().readAllBytes()));
            for (String header : new String[] {"content-type", "x-api-key"}) {
                request.header(header, exchange.getRequestHeaders().getFirst(header));
            }
            try {
                HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                response.headers().map().forEach((header, values) -> {
                    if (!header.equalsIgnoreCase("content-length") && !header.equalsIgnoreCase("transfer-encoding")) {
                        exchange.getResponseHeaders().put(header, values);
                    }
                });
                byte[] body = response.body();
                exchange.sendResponseHeaders(response.statusCode(), body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                exchange.close();
            }
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @BeforeEach
    void start() throws IOException {
        former = cell();
        next = cell();
        name = new HostName(former);
    }

    @AfterEach
    void close() {
        name.close();
        next.close();
        former.close();
    }

    private LocalSystem cell() throws IOException {
        LocalSystem cell = LocalSystem.start(LocalOptions.of(Template.find(), ADMINISTRATOR)
                .clock(clock, clock::advance)
                .byHand()
                .sweepPeriod(Duration.ofSeconds(5))
                .out(new PrintStream(OutputStream.nullOutputStream())));
        cell.runSchedules();
        return cell;
    }

    /** Both cells accept the administrator's key here, as they accept a token of one identity provider. */
    @Test
    void an_agent_whose_token_both_cells_accept_registers_in_the_new_cell_without_a_restart() {
        assertThat(call(name.url(), "POST", "/api/v1/agents", BY_ADMINISTRATOR, ADMINISTRATOR)
                        .status())
                .isEqualTo(201);
        assertThat(heartbeat(name.url(), ADMINISTRATOR).status()).isEqualTo(200);
        assertThat(call(
                                former.baseUrl(),
                                "PUT",
                                "/v1/admin/silences/move",
                                "{\"scope\":{\"owner_key_id\":\"administrator\"},\"for_seconds\":3600,\"reason\":\"move\"}",
                                ADMINISTRATOR)
                        .status())
                .isBetween(200, 201);

        name.leadsTo(next);
        Answer refused = heartbeat(name.url(), ADMINISTRATOR);
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.json().path("type").asText()).endsWith("agent_not_found");
        assertThat(call(name.url(), "POST", "/api/v1/agents", BY_ADMINISTRATOR, ADMINISTRATOR)
                        .status())
                .isEqualTo(201);
        for (int i = 0; i < 6; i++) {
            clock.advanceSeconds(5);
            assertThat(heartbeat(name.url(), ADMINISTRATOR).status()).isEqualTo(200);
            former.runSchedules();
            next.runSchedules();
        }
        assertThat(status(next)).isEqualTo("active");
        assertThat(status(former)).isEqualTo("dead");

        assertThat(call(former.baseUrl(), "DELETE", WORKER, "", ADMINISTRATOR).status())
                .isEqualTo(204);
        assertThat(status(next)).isEqualTo("active");
    }

    @Test
    void an_agent_with_a_key_moves_by_a_restart_and_its_former_key_is_refused() {
        JsonNode formerKey = key(former);
        String old = formerKey.path("api_key").asText();
        assertThat(call(name.url(), "POST", "/api/v1/agents", REGISTRATION, old).status())
                .isEqualTo(201);
        String fresh = key(next).path("api_key").asText();

        assertThat(call(name.url(), "DELETE", WORKER, "", old).status()).isEqualTo(204);
        assertThat(call(next.baseUrl(), "POST", "/api/v1/agents", REGISTRATION, fresh)
                        .status())
                .isEqualTo(201);
        assertThat(status(former)).isEqualTo("deregistered");

        name.leadsTo(next);
        assertThat(heartbeat(name.url(), old).status()).isEqualTo(401);
        assertThat(heartbeat(name.url(), fresh).status()).isEqualTo(200);
        assertThat(status(next)).isEqualTo("active");

        String id = formerKey.path("key_id").asText();
        assertThat(call(former.baseUrl(), "DELETE", "/v1/admin/keys/" + id, "", ADMINISTRATOR)
                        .status())
                .isBetween(200, 204);
        clock.advance(Duration.ofMinutes(2));
        assertThat(call(former.baseUrl(), "POST", "/api/v1/agents", REGISTRATION, old)
                        .status())
                .isEqualTo(401);
    }

    private static JsonNode key(LocalSystem cell) {
        Answer issued = call(cell.baseUrl(), "POST", "/v1/admin/keys", "{\"role\":\"agent\"}", ADMINISTRATOR);
        assertThat(issued.status()).isEqualTo(201);
        return issued.json();
    }

    private Answer heartbeat(String url, String key) {
        String body = "{\"status\":\"active\",\"current_load\":1,\"client_timestamp\":\"" + clock.instant() + "\"}";
        return call(url, "POST", WORKER + "/heartbeat", body, key);
    }

    private static String status(LocalSystem cell) {
        return call(cell.baseUrl(), "GET", WORKER, "", ADMINISTRATOR)
                .json()
                .path("status")
                .asText();
    }

    private static Answer call(String url, String method, String path, String body, String key) {
        var response = new HttpCaller(url)
                .call(
                        method,
                        path,
                        body.getBytes(StandardCharsets.UTF_8),
                        "content-type",
                        "application/json",
                        "x-api-key",
                        key);
        try {
            return new Answer(response.statusCode(), MAPPER.readTree(response.body()));
        } catch (IOException e) {
            throw new AssertionError("the answer of " + method + " " + path + " is no JSON", e);
        }
    }
}
