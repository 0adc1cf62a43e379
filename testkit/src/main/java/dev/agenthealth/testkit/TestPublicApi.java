package dev.agenthealth.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** The public door as far as the sweep's canaries use it: heartbeats over HTTP, unless it is shut. Thread-safe. */
public final class TestPublicApi implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean shut = new AtomicBoolean();

    /**
     * @param heartbeat sends a heartbeat by its path, key and body, and gives the status of the answer
     */
    public TestPublicApi(Heartbeat heartbeat) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, heartbeat));
        server.start();
    }

    /** Takes heartbeats. */
    @FunctionalInterface
    public interface Heartbeat {

        int send(String path, String apiKey, String body);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on nothing gets through. */
    public void shut() {
        shut.set(true);
    }

    /** From now on everything gets through again. */
    public void open() {
        shut.set(false);
    }

    private void answer(HttpExchange exchange, Heartbeat heartbeat) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int status = shut.get()
                    ? 503
                    : heartbeat.send(
                            exchange.getRequestURI().getPath(),
                            exchange.getRequestHeaders().getFirst("X-API-Key"),
                            body);
            exchange.sendResponseHeaders(status, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
