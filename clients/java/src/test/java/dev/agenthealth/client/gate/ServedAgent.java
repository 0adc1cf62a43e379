package dev.agenthealth.client.gate;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An agent on this machine that answers requests for its document as a test says. */
final class ServedAgent implements AutoCloseable {

    static final String PATH = "/.well-known/agent-health";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> requests = new CopyOnWriteArrayList<>();
    private volatile Script script = exchange -> send(exchange, 404, "");

    record Asked(String path, Headers headers) {}

    @FunctionalInterface
    interface Script {
        void answer(HttpExchange exchange) throws IOException;
    }

    ServedAgent() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(new Asked(exchange.getRequestURI().toString(), exchange.getRequestHeaders()));
            try (exchange) {
                script.answer(exchange);
            }
        });
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void script(Script newScript) {
        script = newScript;
    }

    /** Serves a document with these headers, each given as {@code name: value}. */
    void serves(String document, String... headers) {
        script = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            for (String header : headers) {
                String[] parts = header.split(": ", 2);
                exchange.getResponseHeaders().set(parts[0], parts[1]);
            }
            send(exchange, 200, document);
        };
    }

    static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    List<Asked> requests() {
        return List.copyOf(requests);
    }

    Asked last() {
        return requests.get(requests.size() - 1);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
