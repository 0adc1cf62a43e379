package dev.agenthealth.functions.outbound;

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

    CallResult<byte[]> post(ScriptedServer server, Duration timeout) {
        return client.post(to("http://" + HOST + ":" + server.port(), loopback()), Map.of(), "{}".getBytes(), timeout);
    }

    CallResult<byte[]> postSecurely(String host, ScriptedServer server) {
        return client.post(to("https://" + host + ":" + server.port(), loopback()), Map.of(), "{}".getBytes(), LONG);
    }

    static Destination to(String endpoint, InetAddress... addresses) {
        return new Destination(Endpoint.of(endpoint).orElseThrow(), List.of(addresses));
    }

    static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    static String text(CallResult<byte[]> result) {
        assertThat(result).isInstanceOf(CallResult.Success.class);
        return new String(((CallResult.Success<byte[]>) result).value(), StandardCharsets.UTF_8);
    }

    static InvocationFailure failure(CallResult<byte[]> result) {
        assertThat(result).isInstanceOf(CallResult.Failure.class);
        return ((CallResult.Failure<byte[]>) result).reason();
    }
}
