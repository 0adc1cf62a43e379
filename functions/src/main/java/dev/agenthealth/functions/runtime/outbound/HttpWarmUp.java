package dev.agenthealth.functions.runtime.outbound;

import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.model.gateway.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Calls a server within this process, on the loopback address. The call loads the classes that the first real call needs. */
final class HttpWarmUp {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                    .getBytes(StandardCharsets.US_ASCII);

    private HttpWarmUp() {}

    /**
     * Makes the call.
     *
     * @throws CallFailedException if the call failed
     */
    static void run(PinnedHttpClient http) {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket agent = new ServerSocket(0, 1, here)) {
            DaemonThreads.named("warm-up").newThread(() -> answer(agent)).start();
            Endpoint endpoint = new Endpoint(false, new Endpoint.Host.Name("localhost"), agent.getLocalPort(), "/");
            http.send(new Destination(endpoint, List.of(here)), HttpQuestion.post(Map.of(), "{}"), TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(ServerSocket agent) {
        try (Socket caller = agent.accept()) {
            caller.setSoTimeout((int) TIMEOUT.toMillis());
            // One read takes the whole request; unread bytes would reset the connection.
            caller.getInputStream().read(new byte[4_096]);
            caller.getOutputStream().write(ANSWER);
        } catch (IOException e) {
            // The call fails and reports this exception.
            throw new UncheckedIOException(e);
        }
    }
}
