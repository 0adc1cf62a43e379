package dev.agenthealth.functions.runtime.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.gateway.Endpoint;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.TestCertificates;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A client, and servers that a test scripts, over real sockets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 30, unit = TimeUnit.SECONDS)
abstract class PinnedHttpCalls {

    static final Duration LONG = Duration.ofSeconds(20);
    static final Duration SHORT = Duration.ofMillis(300);
    static final String HOST = "agent.test";
    final TestCertificates certificates = TestCertificates.of(HOST);
    final PinnedHttpClient client = new PinnedHttpClient(SecureSockets.trusting(certificates.trust()));
    final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
        open.clear();
    }

    static void await(int millis) {
        try {
            TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    ScriptedServer http() {
        ScriptedServer server = ScriptedServer.http();
        open.add(server);
        return server;
    }

    ScriptedServer https(TestCertificates certificates) {
        ScriptedServer server = ScriptedServer.https(certificates);
        open.add(server);
        return server;
    }

    /** The body of the response, or why there is none. */
    Object post(ScriptedServer server, Duration timeout) {
        return post(to("http://" + HOST + ":" + server.port(), loopback()), timeout);
    }

    Object postSecurely(String host, ScriptedServer server) {
        return post(to("https://" + host + ":" + server.port(), loopback()), LONG);
    }

    private Object post(Destination to, Duration timeout) {
        return post(client, to, Map.of(), "{}".getBytes(), timeout);
    }

    static Object post(
            PinnedHttpClient client, Destination to, Map<String, String> headers, byte[] body, Duration timeout) {
        try {
            return client.send(to, new HttpQuestion("POST", headers, Optional.of(body), event -> true), timeout);
        } catch (CallFailedException e) {
            return e.reason();
        }
    }

    static Destination to(String endpoint, InetAddress... addresses) {
        return new Destination(Endpoint.of(endpoint).orElseThrow(), List.of(addresses));
    }

    static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    static String text(Object body) {
        assertThat(body).isInstanceOf(byte[].class);
        return new String((byte[]) body, StandardCharsets.UTF_8);
    }

    static InvocationFailure failure(Object reason) {
        assertThat(reason).isInstanceOf(InvocationFailure.class);
        return (InvocationFailure) reason;
    }
}
