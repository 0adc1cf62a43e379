package dev.agenthealth.emulator.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.emulator.support.EmulatorLog;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebServerTest {

    private static final int HALF_REQUESTS = 300;
    private static final int BLOCKED_CALLERS = 100;
    private static final int REQUESTS = 50;
    private static final int IDLE_CONNECTIONS = 2_048;
    private static final int CLIENTS = 8;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String HALF_A_HEADER = "POST /half HTTP/1.1\r\nHost: localhost\r\nX-Half";
    private static final String HALF_A_BODY = "POST /half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nhalf";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HALF_A_HEADER, HALF_A_BODY})
    @Tag("slow")
    void half_sent_requests_delay_no_other_request(String half) throws IOException, InterruptedException {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> RawResponse.empty(200));
            for (int i = 0; i < HALF_REQUESTS; i++) {
                send(server, half);
            }
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(call(server, "/other").statusCode()).isEqualTo(200);
            }
            for (Socket socket : sockets) {
                assertThat(socket.getInputStream().available()).as("still open").isZero();
            }
            Socket first = sockets.get(0);
            write(first, half.equals(HALF_A_BODY) ? "body" : ": y\r\nContent-Length: 0\r\n\r\n");
            assertThat(firstLine(first)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HALF_A_HEADER, HALF_A_BODY, ""})
    void a_connection_on_which_nothing_is_sent_is_closed(String half) throws IOException {
        try (WebServer server = WebServer.bind(
                "127.0.0.1", 0, "http", Limits.standard().withIdleTimeout(Duration.ofMillis(50)), EmulatorLog.none())) {
            server.start(request -> RawResponse.empty(200));
            Socket socket = send(server, half);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("HTTP/1.1 200");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1_000, 5_000, 12_000})
    void the_head_of_a_response_may_be_larger_than_usual(int length) throws Exception {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> RawResponse.empty(200).with("X-Long", "x".repeat(length)));
            assertThat(call(server, "/").headers().firstValue("X-Long")).contains("x".repeat(length));
        }
    }

    @Test
    void a_brief_request_that_takes_long_delays_no_other_request() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Endpoint brief = new Endpoint() {
            @Override
            public RawResponse answer(RawRequest request) {
                if (request.rawPath().startsWith("/slow")) {
                    awaited(end);
                }
                return RawResponse.empty(200);
            }

            @Override
            public Share share(RawRequest head) {
                return new Share("brief", 512, 4_096, Share.Kind.BRIEF);
            }
        };
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(brief);
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < BLOCKED_CALLERS; i++) {
                slow.add(send(server, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            }
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(call(server, "/other").statusCode()).isEqualTo(200);
            }
            end.countDown();
            for (Socket socket : slow) {
                assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 200 OK");
            }
        }
    }

    /** One connection sends a brief request and another request at once. The other request blocks; other connections must not. */
    @ParameterizedTest
    @EnumSource(Share.Kind.class)
    @Timeout(60)
    void a_request_that_follows_a_brief_one_at_once_delays_no_other_request(Share.Kind kind) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Endpoint endpoint = new Endpoint() {
            @Override
            public RawResponse answer(RawRequest request) {
                if (request.rawPath().equals("/slow")) {
                    awaited(end);
                }
                return RawResponse.empty(200);
            }

            @Override
            public Share share(RawRequest head) {
                return new Share("any", 512, 4_096, head.rawPath().equals("/slow") ? kind : Share.Kind.BRIEF);
            }
        };
        String brief = "GET /brief HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(endpoint);
            Socket blocked = send(server, brief + "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(firstLine(blocked)).isEqualTo("HTTP/1.1 200 OK");
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(firstLine(send(server, brief))).isEqualTo("HTTP/1.1 200 OK");
            }
            end.countDown();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void idle_connections_up_to_the_limit_of_an_address_fail_no_client_that_connects_for_each_request()
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> RawResponse.empty(200));
            for (int i = 0; i < IDLE_CONNECTIONS; i++) {
                assertThat(firstLine(send(server, "GET /idle HTTP/1.1\r\nHost: localhost\r\n\r\n")))
                        .isEqualTo("HTTP/1.1 200 OK");
            }
            assertThat(server.connections()).isEqualTo(IDLE_CONNECTIONS);
            List<CompletableFuture<List<String>>> clients = Stream.generate(
                            () -> CompletableFuture.supplyAsync(() -> requestsByConnection(server), threads))
                    .limit(CLIENTS)
                    .toList();
            for (CompletableFuture<List<String>> statuses : clients) {
                assertThat(statuses.get(60, TimeUnit.SECONDS)).hasSize(REQUESTS).containsOnly("HTTP/1.1 200 OK");
            }
        } finally {
            threads.shutdown();
        }
    }

    /** Returns the status of each request that one client sends on a connection of its own. */
    private static List<String> requestsByConnection(WebServer server) {
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            try (Socket socket = new Socket("127.0.0.1", server.port())) {
                socket.setSoTimeout(20_000);
                write(socket, "GET /short HTTP/1.1\r\nHost: localhost\r\n\r\n");
                statuses.add(firstLine(socket));
            } catch (IOException e) {
                statuses.add(e.toString());
            }
        }
        return statuses;
    }

    @Test
    void a_kept_alive_connection_is_open_for_longer_than_the_usual_interval_of_heartbeats() {
        assertThat(Limits.standard().idleTimeout()).isEqualTo(Duration.ofSeconds(75));
    }

    @Test
    void an_answer_may_take_longer_than_the_idle_timeout() throws IOException, InterruptedException {
        CountDownLatch idleConnectionClosed = new CountDownLatch(1);
        try (WebServer server = WebServer.bind(
                "127.0.0.1",
                0,
                "http",
                Limits.standard().withIdleTimeout(Duration.ofMillis(300)),
                EmulatorLog.none())) {
            server.start(request -> {
                await(idleConnectionClosed);
                return RawResponse.empty(200);
            });
            CompletableFuture<HttpResponse<String>> slow =
                    client.sendAsync(request(server, "/"), BodyHandlers.ofString());
            for (int i = 0; i < 2; i++) {
                assertThat(send(server, "").getInputStream().read()).isEqualTo(-1);
            }
            idleConnectionClosed.countDown();
            assertThat(slow.join().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void callers_that_wait_for_an_agent_delay_no_other_caller() throws IOException, InterruptedException {
        CountDownLatch waiting = new CountDownLatch(BLOCKED_CALLERS);
        CountDownLatch answered = new CountDownLatch(1);
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> {
                if (request.rawPath().equals("/wait")) {
                    waiting.countDown();
                    await(answered);
                }
                return RawResponse.empty(200);
            });
            List<CompletableFuture<HttpResponse<String>>> callers = IntStream.range(0, BLOCKED_CALLERS)
                    .mapToObj(caller -> client.sendAsync(request(server, "/wait"), BodyHandlers.ofString()))
                    .toList();
            try {
                assertThat(await(waiting)).as("all requests are in progress").isTrue();
                assertThat(call(server, "/ping").statusCode()).isEqualTo(200);
            } finally {
                answered.countDown();
            }
            assertThat(callers)
                    .allSatisfy(caller -> assertThat(caller.join().statusCode()).isEqualTo(200));
        }
    }

    @Test
    void closing_lets_a_request_in_progress_end() throws IOException, InterruptedException {
        CountDownLatch inProgress = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none());
        server.start(request -> {
            inProgress.countDown();
            await(closing);
            return RawResponse.empty(200);
        });
        int port = server.port();
        CompletableFuture<HttpResponse<String>> caller =
                client.sendAsync(request(server, "/"), BodyHandlers.ofString());
        assertThat(await(inProgress)).isTrue();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
        assertThatThrownBy(() -> {
                    while (true) {
                        new Socket("127.0.0.1", port).close();
                    }
                })
                .as("no new connection is accepted")
                .isInstanceOf(IOException.class);
        closing.countDown();
        assertThat(caller.join().statusCode()).isEqualTo(200);
        closed.join();
    }

    @Test
    void a_request_of_an_open_connection_is_refused_while_the_server_closes() throws IOException {
        CountDownLatch inProgress = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none());
        server.start(request -> {
            if (request.rawPath().equals("/slow")) {
                inProgress.countDown();
                await(refused);
            }
            return RawResponse.empty(200);
        });
        CompletableFuture<HttpResponse<String>> caller =
                client.sendAsync(request(server, "/slow"), BodyHandlers.ofString());
        assertThat(await(inProgress)).isTrue();
        String quick = "GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n";
        Socket open = send(server, quick);
        String head = head(open);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
        while (head.startsWith("HTTP/1.1 200 ")) {
            write(open, quick);
            head = head(open);
        }
        refused.countDown();
        assertThat(head)
                .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                .contains("\r\nRetry-After: 1\r\n")
                .containsIgnoringCase("\r\nConnection: close\r\n");
        assertThat(new String(open.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                .contains("\"error\":\"temporarily_unavailable\"");
        assertThat(caller.join().statusCode()).isEqualTo(200);
        closed.join();
    }

    private static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0;
                c = socket.getInputStream().read()) {
            head.append((char) c);
            if (head.indexOf("\r\n\r\n") >= 0) {
                break;
            }
        }
        return head.toString();
    }

    @Test
    void closing_waits_no_longer_than_it_is_told() throws Exception {
        CountDownLatch inProgress = new CountDownLatch(1);
        CountDownLatch givenUp = new CountDownLatch(1);
        WebServer server = WebServer.bind("127.0.0.1", 0, "http", new EmulatorLog() {
            @Override
            public void warn(String event, Map<String, ?> fields) {
                // Nothing to warn of.
            }

            @Override
            public void failure(String event, String subject, Throwable cause) {
                if (event.equals("requests_not_ended")) {
                    givenUp.countDown();
                }
            }
        });
        server.start(request -> {
            inProgress.countDown();
            await(givenUp);
            return RawResponse.empty(200);
        });
        client.sendAsync(request(server, "/"), BodyHandlers.ofString());
        assertThat(await(inProgress)).isTrue();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> server.close(Duration.ofMillis(1)));
        // Before the default time of a server.
        assertThat(givenUp.await(4, TimeUnit.SECONDS)).isTrue();
        closed.join();
    }

    @Test
    void a_failure_of_the_endpoint_is_answered_without_details() throws IOException, InterruptedException {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> {
                throw new IllegalStateException("a secret detail");
            });
            HttpResponse<String> response = call(server, "/");
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).contains("\"error\":\"internal_error\"").doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/a%2Fb/../c;d=1//e/.%2e?x=%41&y=+, /a%2Fb/../c;d=1//e/.%2e?x=%41&y=+",
        "/, /?",
        "//a/b, //a/b?",
        "http://example.com/a?b, /a?b",
        "http://example.com, /?"
    })
    void a_target_arrives_as_it_was_sent(String target, String pathAndQuery) throws IOException {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(
                    request -> RawResponse.empty(200).with("X-Target", request.rawPath() + "?" + request.rawQuery()));
            Socket socket =
                    send(server, "GET " + target + " HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1).split("\r\n"))
                    .contains("HTTP/1.1 200 OK")
                    .anySatisfy(line -> assertThat(line).isEqualToIgnoringCase("X-Target: " + pathAndQuery));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /%00", "PATCH /%00", "GET /%ff", "PATCH /%ff", "GET /a b", "G(T /", "GET no/path"})
    void a_request_that_cannot_be_read_is_answered_by_a_problem_document(String start) throws IOException {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> RawResponse.empty(200));
            Socket socket = send(server, start + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .containsIgnoringCase("\r\nContent-Type: application/problem+json\r\n")
                    .contains("\"error\":\"malformed_request\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /%00", "GET /%zz", "G(T /", "GET no/path"})
    void an_answer_that_ends_the_connection_says_so(String start) throws IOException {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            server.start(request -> RawResponse.empty(200));
            Socket socket = send(server, start + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .containsIgnoringCase("\r\nConnection: close\r\n");
        }
    }

    @Test
    void an_address_in_use_is_named_as_such() throws IOException {
        try (WebServer server = WebServer.bind("127.0.0.1", 0, "http", EmulatorLog.none())) {
            int port = server.port();
            assertThatThrownBy(() -> WebServer.bind("127.0.0.1", port, "http", EmulatorLog.none()))
                    .isInstanceOf(BindException.class);
        }
    }

    private Socket send(WebServer server, String text) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        sockets.add(socket);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        write(socket, text);
        return socket;
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private static String firstLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\r';
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private static HttpRequest request(WebServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(TIMEOUT)
                .build();
    }

    private HttpResponse<String> call(WebServer server, String path) throws IOException, InterruptedException {
        return client.send(request(server, path), BodyHandlers.ofString());
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("no other thread interrupts this one", e);
        }
    }
}
