package dev.agenthealth.functions.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestCertificates;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of correct and incorrect servers over real sockets. */
@Tag("SN-07")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class PinnedHttpClientTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String HOST = "agent.test";

    private final TestCertificates certificates = TestCertificates.of(HOST);
    private final PinnedHttpClient client = new PinnedHttpClient(SecureSockets.trusting(certificates.trust()));
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
        open.clear();
    }

    @Test
    void a_response_is_returned_completely() {
        ScriptedServer server = http().plays(Script.body("{\"ä\":1}"));
        assertThat(text(post(server, LONG))).isEqualTo("{\"ä\":1}");
    }

    @Test
    void a_request_has_the_required_headers_and_nothing_about_the_sender() {
        ScriptedServer server = http().plays(Script.body("{}"));
        client.post(
                to("http://" + HOST + ":" + server.port() + "/a/b?c=d", loopback()),
                Map.of("A2A-Version", "1.0"),
                "{\"x\":\"ä\"}".getBytes(StandardCharsets.UTF_8),
                LONG);
        assertThat(server.requests()).singleElement().satisfies(request -> {
            assertThat(request.line()).isEqualTo("POST /a/b?c=d HTTP/1.1");
            assertThat(request.headers())
                    .isEqualTo(Map.of(
                            "host", HOST + ":" + server.port(),
                            "user-agent", "agent-health",
                            "accept", "application/json",
                            "content-type", "application/json",
                            "content-length", "10",
                            "connection", "close",
                            "a2a-version", "1.0"));
            assertThat(request.body()).isEqualTo("{\"x\":\"ä\"}");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//evil.example/x", "/http://evil.example/", "/?http://evil.example", "/%0d%0aX:%20y"})
    void the_target_is_sent_as_it_is_and_names_no_other_host(String target) {
        ScriptedServer server = http().plays(Script.body("{}"));
        client.post(to("http://" + HOST + ":" + server.port() + target, loopback()), Map.of(), new byte[0], LONG);
        assertThat(server.requests()).singleElement().satisfies(request -> assertThat(request.line())
                .isEqualTo("POST " + target + " HTTP/1.1"));
    }

    @Test
    void the_name_is_not_resolved_again() {
        ScriptedServer server = http().plays(Script.body("{}"));
        // No host name has this ending, so it cannot be resolved.
        assertThat(text(client.post(
                        to("http://nowhere.invalid:" + server.port(), loopback()), Map.of(), new byte[0], LONG)))
                .isEqualTo("{}");
    }

    @Test
    void a_tls_connection_requires_the_host_s_certificate() {
        ScriptedServer server = https(certificates).plays(Script.body("{}"));
        assertThat(text(postSecurely(HOST, server))).isEqualTo("{}");
    }

    @Test
    void another_host_s_certificate_is_not_trusted() {
        ScriptedServer server = https(certificates).plays(Script.body("{}"));
        assertThat(failure(postSecurely("other.test", server))).isEqualTo(InvocationFailure.TLS_FAILED);
        assertThat(failure(postSecurely("127.0.0.1", server))).isEqualTo(InvocationFailure.TLS_FAILED);
        assertThat(server.requests()).as("nothing was sent").isEmpty();
    }

    @Test
    void tls_sessions_are_not_resumed() {
        ScriptedServer server = https(certificates).plays(Script.body("{}"));
        AtomicInteger handshakes = new AtomicInteger();
        PinnedHttpClient counting =
                new PinnedHttpClient(SecureSockets.trusting(new CountingTrust(certificates.trust(), handshakes)));
        for (int i = 1; i <= 3; i++) {
            assertThat(text(counting.post(
                            to("https://" + HOST + ":" + server.port(), loopback()), Map.of(), new byte[0], LONG)))
                    .isEqualTo("{}");
            assertThat(handshakes)
                    .as("the server shows its certificate each time")
                    .hasValue(i);
        }
    }

    /** Delegates, and counts the checks; a resumed session has none. */
    private static final class CountingTrust extends X509ExtendedTrustManager {

        private final X509ExtendedTrustManager trust;
        private final AtomicInteger asked;

        CountingTrust(X509ExtendedTrustManager trust, AtomicInteger asked) {
            this.trust = trust;
            this.asked = asked;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            asked.incrementAndGet();
            trust.checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("no engine is used");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("whose certificate it is would not be checked");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("there are no clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("there are no clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("there are no clients");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trust.getAcceptedIssuers();
        }
    }

    @Test
    void a_self_signed_certificate_is_not_trusted() {
        ScriptedServer server = https(TestCertificates.of(HOST));
        assertThat(failure(postSecurely(HOST, server))).isEqualTo(InvocationFailure.TLS_FAILED);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_server_without_tls_receives_no_request() throws IOException {
        ScriptedServer plain = http().plays(Script.body("{}"));
        assertThat(failure(postSecurely(HOST, plain)))
                .isIn(InvocationFailure.TLS_FAILED, InvocationFailure.CONNECT_TIMEOUT);
        assertThat(plain.requests()).isEmpty();
        try (ServerSocket closes = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread accepting = new Thread(() -> {
                try {
                    closes.accept().close();
                } catch (IOException e) {
                    // The test is over.
                }
            });
            accepting.start();
            assertThat(failure(client.post(
                            to("https://" + HOST + ":" + closes.getLocalPort(), loopback()),
                            Map.of(),
                            new byte[0],
                            LONG)))
                    .isEqualTo(InvocationFailure.TLS_FAILED);
        }
    }

    @Test
    void an_unfinished_handshake_ends_at_the_timeout() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(failure(client.post(
                            to("https://" + HOST + ":" + silent.getLocalPort(), loopback()),
                            Map.of(),
                            new byte[0],
                            SHORT)))
                    .isEqualTo(InvocationFailure.CONNECT_TIMEOUT);
        }
    }

    @Test
    void a_slow_handshake_ends_at_the_call_s_timeout() throws IOException {
        try (ServerSocket dripping = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread drip = new Thread(() -> drip(dripping));
            drip.setDaemon(true);
            drip.start();
            assertThat(failure(client.post(
                            to("https://" + HOST + ":" + dripping.getLocalPort(), loopback()),
                            Map.of(),
                            new byte[0],
                            SHORT)))
                    .isEqualTo(InvocationFailure.CONNECT_TIMEOUT);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_handshake_has_the_connect_timeout_whatever_the_call_s_timeout(boolean dripping) throws IOException {
        PinnedHttpClient impatient = new PinnedHttpClient(SecureSockets.trusting(certificates.trust()), SHORT);
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            if (dripping) {
                Thread drip = new Thread(() -> drip(server));
                drip.setDaemon(true);
                drip.start();
            }
            assertThat(failure(impatient.post(
                            to("https://" + HOST + ":" + server.getLocalPort(), loopback()),
                            Map.of(),
                            new byte[0],
                            Duration.ofMinutes(10))))
                    .isEqualTo(InvocationFailure.CONNECT_TIMEOUT);
        }
    }

    @Test
    void a_response_may_take_longer_than_the_connect_timeout() {
        PinnedHttpClient impatient = new PinnedHttpClient(SecureSockets.trusting(certificates.trust()), SHORT);
        ScriptedServer server = https(certificates).plays((request, out) -> {
            await(2 * (int) SHORT.toMillis());
            Script.body("{}").play(request, out);
        });
        assertThat(text(impatient.post(
                        to("https://" + HOST + ":" + server.port(), loopback()), Map.of(), new byte[0], LONG)))
                .isEqualTo("{}");
    }

    @Test
    void no_proxy_is_used() {
        ProxySelector usual = ProxySelector.getDefault();
        AtomicInteger asked = new AtomicInteger();
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                asked.incrementAndGet();
                return List.of(Proxy.NO_PROXY);
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException e) {
                asked.incrementAndGet();
            }
        });
        try {
            assertThat(text(post(http().plays(Script.body("{}")), LONG))).isEqualTo("{}");
            assertThat(asked).hasValue(0);
        } finally {
            ProxySelector.setDefault(usual);
        }
    }

    /** The beginning of a TLS record that would be long, in small pieces. */
    private static void drip(ServerSocket server) {
        try (Socket socket = server.accept()) {
            OutputStream out = socket.getOutputStream();
            out.write(new byte[] {0x16, 0x03, 0x03, 0x3f, (byte) 0xff});
            for (int i = 0; i < 0x3fff; i++) {
                out.write(0);
                out.flush();
                TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), 20);
            }
        } catch (IOException | InterruptedException e) {
            // The client closed the connection.
        }
    }

    @Test
    void a_closed_port_is_unreachable() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        assertThat(failure(client.post(to("http://" + HOST + ":" + port, loopback()), Map.of(), new byte[0], LONG)))
                .isEqualTo(InvocationFailure.CONNECTION_REFUSED);
    }

    @Test
    void a_connection_that_is_not_accepted_is_unreachable() throws IOException {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> waiting = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Socket socket = new Socket();
                waiting.add(socket);
                try {
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), full.getLocalPort()), 50);
                } catch (IOException e) {
                    // Now the queue is full.
                }
            }
            open.addAll(waiting);
            assertThat(failure(client.post(
                            to("http://" + HOST + ":" + full.getLocalPort(), loopback()),
                            Map.of(),
                            new byte[0],
                            SHORT)))
                    .isEqualTo(InvocationFailure.CONNECT_TIMEOUT);
        }
    }

    @Test
    void the_next_address_is_tried_when_one_is_unreachable() throws UnknownHostException {
        ScriptedServer server = http().plays(Script.body("{}"));
        InetAddress dead = InetAddress.getByAddress(new byte[] {127, 0, 0, 99});
        assertThat(text(client.post(
                        to("http://" + HOST + ":" + server.port(), dead, loopback()), Map.of(), new byte[0], LONG)))
                .isEqualTo("{}");
        assertThat(failure(client.post(
                        to("http://" + HOST + ":" + server.port(), dead, dead, dead, loopback()),
                        Map.of(),
                        new byte[0],
                        LONG)))
                .as("but not any number of them")
                .isEqualTo(InvocationFailure.CONNECTION_REFUSED);
    }

    @Test
    void no_answer_in_time() {
        ScriptedServer server = http();
        server.plays((request, out) -> server.hang());
        assertThat(failure(post(server, SHORT))).isEqualTo(InvocationFailure.TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n",
                "HTTP/1.1 200 OK\r\n\r\n"
            })
    void a_slow_response_ends_at_the_call_s_timeout(String beginning) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write(beginning.getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 8_000; i++) {
                out.write('x');
                out.flush();
                await(20);
            }
        });
        assertThat(failure(post(server, SHORT))).isEqualTo(InvocationFailure.TIMEOUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints\r\nLink: <x>"})
    void endless_interim_responses_are_cut_off(String interim) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            while (true) {
                out.write(("HTTP/1.1 " + interim + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
    }

    @Test
    void ten_interim_responses_are_accepted_and_eleven_are_not() {
        String interim = "HTTP/1.1 103 Early Hints\r\n\r\n";
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        ScriptedServer server = http().plays(Script.bytes(interim.repeat(10) + answer));
        assertThat(text(post(server, LONG))).isEqualTo("{}");
        server.plays(Script.bytes(interim.repeat(11) + answer));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
    }

    @Test
    void slow_interim_responses_end_at_the_call_s_timeout() {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            for (int i = 0; i < 10; i++) {
                out.write("HTTP/1.1 103 Early Hints\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                await((int) SHORT.toMillis());
            }
        });
        assertThat(failure(post(server, SHORT))).isEqualTo(InvocationFailure.TIMEOUT);
    }

    @ParameterizedTest
    @CsvSource({
        "300, REDIRECT",
        "301, REDIRECT",
        "302, REDIRECT",
        "303, REDIRECT",
        "307, REDIRECT",
        "308, REDIRECT",
        "304, REDIRECT",
        "400, CLIENT_ERROR",
        "401, CLIENT_ERROR",
        "404, CLIENT_ERROR",
        "407, CLIENT_ERROR",
        "429, CLIENT_ERROR",
        "499, CLIENT_ERROR",
        "500, SERVER_ERROR",
        "502, SERVER_ERROR",
        "503, SERVER_ERROR",
        "599, SERVER_ERROR",
        "600, SERVER_ERROR"
    })
    void a_status_other_than_success_is_a_failure_and_redirects_are_not_followed(
            int status, InvocationFailure failure) {
        ScriptedServer elsewhere = http();
        ScriptedServer server = http().plays(Script.status(
                status,
                "Location: http://127.0.0.1:" + elsewhere.port() + "/",
                "Proxy-Authenticate: Basic realm=\"x\"",
                "WWW-Authenticate: Basic realm=\"x\"",
                "Retry-After: 0"));
        assertThat(failure(post(server, LONG))).isEqualTo(failure);
        assertThat(elsewhere.connections()).isZero();
        assertThat(server.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 299})
    void every_2xx_status_is_a_success(int status) {
        ScriptedServer server = http().plays(Script.status(status));
        assertThat(text(post(server, LONG))).isEmpty();
    }

    @Test
    void an_answer_without_a_body_is_empty() {
        ScriptedServer server = http().plays(Script.bytes("HTTP/1.1 204 No Content\r\n\r\n"));
        assertThat(text(post(server, LONG))).isEmpty();
    }

    @Test
    void a_body_of_the_maximum_size_is_accepted_and_one_byte_more_is_not() {
        String largest = "x".repeat(PinnedHttpClient.MAX_BYTES);
        ScriptedServer server = http().plays(Script.body(largest));
        assertThat(text(post(server, LONG))).isEqualTo(largest);
        server.plays(Script.body(largest + "x"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\n\r\n" + largest));
        assertThat(text(post(server, LONG))).isEqualTo(largest);
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\n\r\n" + largest + "x"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
        server.plays(Script.bytes(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40001\r\n" + largest + "x\r\n0\r\n\r\n"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Transfer-Encoding: chunked\r\n", "Content-Length: 9223372036854775807\r\n"})
    void an_endless_body_is_cut_off(String header) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\n" + header + "\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("2000\r\n" + "x".repeat(0x2000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            while (true) {
                out.write(chunk);
            }
        });
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Le"})
    void an_incomplete_response_is_a_failure(String bytes) {
        ScriptedServer server = http().plays(Script.bytes(bytes));
        assertThat(failure(post(server, LONG))).isIn(InvocationFailure.CONNECTION_LOST, InvocationFailure.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.6\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
            })
    void what_is_not_http_is_malformed(String bytes) {
        ScriptedServer server = http().plays(Script.bytes(bytes));
        assertThat(failure(post(server, Duration.ofSeconds(2))))
                .isIn(InvocationFailure.MALFORMED, InvocationFailure.CONNECTION_LOST);
    }

    @Test
    void headers_without_end_are_malformed() {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; ; i++) {
                out.write(("X-" + i + ": y\r\n").getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
        server.plays(Script.bytes("HTTP/1.1 200 OK\r\nX: " + "y".repeat(100_000) + "\r\n\r\n"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.MALFORMED);
    }

    @Test
    void interim_responses_before_the_final_one_are_skipped() {
        ScriptedServer server = http().plays(
                        Script.bytes("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"
                                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"));
        assertThat(text(post(server, LONG))).isEqualTo("{}");
        server.plays(Script.bytes("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
        assertThat(failure(post(server, LONG))).isEqualTo(InvocationFailure.CONNECTION_LOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0;x=", "\r\n", "0\r\nX: y", "0\r\nX: y\r\nZ: "})
    void chunks_of_nonsense_without_end_are_cut_off(String beginning) {
        ScriptedServer server = http();
        server.plays((request, out) -> {
            out.write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + beginning)
                    .getBytes(StandardCharsets.US_ASCII));
            while (true) {
                out.write("y".repeat(8_192).getBytes(StandardCharsets.US_ASCII));
            }
        });
        assertThat(failure(post(server, LONG))).isIn(InvocationFailure.MALFORMED, InvocationFailure.CONNECTION_LOST);
    }

    @Test
    void compression_is_neither_requested_nor_decoded() {
        ScriptedServer server = http().plays(Script.body("zipped", "Content-Encoding: gzip"));
        assertThat(text(post(server, LONG))).isEqualTo("zipped");
        assertThat(server.requests().get(0).headers()).doesNotContainKey("accept-encoding");
    }

    @Test
    void no_cookie_is_sent_back() {
        ScriptedServer server = http().plays(Script.body("{}", "Set-Cookie: a=b"));
        post(server, LONG);
        post(server, LONG);
        assertThat(server.requests()).hasSize(2).allSatisfy(request -> assertThat(request.headers())
                .doesNotContainKey("cookie"));
        assertThat(server.connections())
                .as("each call has a connection of its own")
                .isEqualTo(2);
    }

    private static void await(int millis) {
        try {
            TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ScriptedServer http() {
        ScriptedServer server = ScriptedServer.http();
        open.add(server);
        return server;
    }

    private ScriptedServer https(TestCertificates certificates) {
        ScriptedServer server = ScriptedServer.https(certificates);
        open.add(server);
        return server;
    }

    private CallResult<byte[]> post(ScriptedServer server, Duration timeout) {
        return client.post(to("http://" + HOST + ":" + server.port(), loopback()), Map.of(), "{}".getBytes(), timeout);
    }

    private CallResult<byte[]> postSecurely(String host, ScriptedServer server) {
        return client.post(to("https://" + host + ":" + server.port(), loopback()), Map.of(), "{}".getBytes(), LONG);
    }

    private static Destination to(String endpoint, InetAddress... addresses) {
        return new Destination(Endpoint.of(endpoint).orElseThrow(), List.of(addresses));
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    private static String text(CallResult<byte[]> result) {
        assertThat(result).isInstanceOf(CallResult.Success.class);
        return new String(((CallResult.Success<byte[]>) result).value(), StandardCharsets.UTF_8);
    }

    private static InvocationFailure failure(CallResult<byte[]> result) {
        assertThat(result).isInstanceOf(CallResult.Failure.class);
        return ((CallResult.Failure<byte[]>) result).reason();
    }
}
