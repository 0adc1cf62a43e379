package dev.agenthealth.functions.outbound;

import dev.agenthealth.functions.threads.DaemonThreads;
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

/** A call to an agent that this process plays itself, on the machine's own address: it loads what the first real call would wait for. */
final class HttpWarmUp {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
                    .getBytes(StandardCharsets.US_ASCII);

    private HttpWarmUp() {}

    /**
     * Makes the call.
     *
     * @throws IllegalStateException where it did not end well
     */
    static void run(PinnedHttpClient http) {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket agent = new ServerSocket(0, 1, here)) {
            DaemonThreads.named("rehearsal").newThread(() -> answer(agent)).start();
            Endpoint endpoint = new Endpoint(false, new Endpoint.Host.Name("localhost"), agent.getLocalPort(), "/");
            CallResult<byte[]> result = http.post(
                    new Destination(endpoint, List.of(here)),
                    Map.of(),
                    "{}".getBytes(StandardCharsets.US_ASCII),
                    PATIENCE);
            if (!(result instanceof CallResult.Success)) {
                throw new IllegalStateException("the rehearsed call ended in " + result);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void answer(ServerSocket agent) {
        try (Socket caller = agent.accept()) {
            caller.setSoTimeout((int) PATIENCE.toMillis());
            // The request is not larger than what is read at once; whoever leaves something unread resets the
            // connection.
            caller.getInputStream().read(new byte[4_096]);
            caller.getOutputStream().write(ANSWER);
        } catch (IOException e) {
            // The caller, which waits for the answer, notices and tells.
            throw new UncheckedIOException(e);
        }
    }
}
