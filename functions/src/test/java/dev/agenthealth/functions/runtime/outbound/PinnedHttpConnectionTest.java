package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import dev.agenthealth.testkit.TestCertificates;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections: addresses, TLS and the connect timeout. */
@Tag("SN-07")
class PinnedHttpConnectionTest extends PinnedHttpCalls {

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
    void certificates_are_those_that_the_runtime_trusts_whenever_they_are_read() {
        ScriptedServer server = https(certificates).plays(Script.body("{}"));
        for (SecureSockets tls : List.of(SecureSockets.usual(), SecureSockets.usualWhenUsed())) {
            PinnedHttpClient usual = new PinnedHttpClient(tls);
            assertThat(failure(post(
                            usual,
                            to("https://" + HOST + ":" + server.port(), loopback()),
                            Map.of(),
                            new byte[0],
                            LONG)))
                    .isEqualTo(InvocationFailure.TLS_FAILED);
        }
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void tls_sessions_are_not_resumed() {
        ScriptedServer server = https(certificates).plays(Script.body("{}"));
        AtomicInteger handshakes = new AtomicInteger();
        PinnedHttpClient counting =
                new PinnedHttpClient(SecureSockets.trusting(new CountingTrust(certificates.trust(), handshakes)));
        for (int i = 1; i <= 3; i++) {
            assertThat(text(post(
                            counting,
                            to("https://" + HOST + ":" + server.port(), loopback()),
                            Map.of(),
                            new byte[0],
                            LONG)))
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
        ScriptedServer server = https(TestCertificates.another(HOST));
        assertThat(failure(postSecurely(HOST, server))).isEqualTo(InvocationFailure.TLS_FAILED);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_server_without_tls_receives_no_request() throws IOException {
        ScriptedServer plain = http().plays(Script.body("{}"));
        assertThat(failure(postSecurely(HOST, plain)))
                .isIn(InvocationFailure.TLS_FAILED, InvocationFailure.CONNECT_TIMEOUT);
        // A random byte of the greeting may be a line feed, which the server reads as the end of a line.
        assertThat(plain.requests()).noneMatch(request -> request.line().contains("HTTP/"));
        try (ServerSocket closes = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread accepting = new Thread(() -> {
                try {
                    closes.accept().close();
                } catch (IOException e) {
                    // The test is over.
                }
            });
            accepting.start();
            assertThat(failure(post(
                            client,
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
            assertThat(failure(post(
                            client,
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
            assertThat(failure(post(
                            client,
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
            assertThat(failure(post(
                            impatient,
                            to("https://" + HOST + ":" + server.getLocalPort(), loopback()),
                            Map.of(),
                            new byte[0],
                            Duration.ofMinutes(10))))
                    .isEqualTo(InvocationFailure.CONNECT_TIMEOUT);
        }
    }

    @Test
    void a_response_may_take_longer_than_the_connect_timeout() {
        Object answer = InvocationFailure.CONNECT_TIMEOUT;
        // On a busy machine, a connection may take longer than a short timeout. The next try doubles the timeout.
        for (int millis = 300; answer == InvocationFailure.CONNECT_TIMEOUT && millis < 3_000; millis *= 2) {
            answer = responseAfterConnectTimeout(millis);
        }
        assertThat(text(answer)).isEqualTo("{}");
    }

    private Object responseAfterConnectTimeout(int millis) {
        PinnedHttpClient impatient =
                new PinnedHttpClient(SecureSockets.trusting(certificates.trust()), Duration.ofMillis(millis));
        ScriptedServer server = https(certificates).plays((request, out) -> {
            await(2 * millis);
            Script.body("{}").play(request, out);
        });
        Destination to = to("https://" + HOST + ":" + server.port(), loopback());
        return post(impatient, to, Map.of(), new byte[0], LONG);
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
        assertThat(failure(post(client, to("http://" + HOST + ":" + port, loopback()), Map.of(), new byte[0], LONG)))
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
            assertThat(failure(post(
                            client,
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
        assertThat(text(post(
                        client,
                        to("http://" + HOST + ":" + server.port(), dead, loopback()),
                        Map.of(),
                        new byte[0],
                        LONG)))
                .isEqualTo("{}");
        assertThat(failure(post(
                        client,
                        to("http://" + HOST + ":" + server.port(), dead, dead, dead, loopback()),
                        Map.of(),
                        new byte[0],
                        LONG)))
                .as("but not any number of them")
                .isEqualTo(InvocationFailure.CONNECTION_REFUSED);
    }
}
