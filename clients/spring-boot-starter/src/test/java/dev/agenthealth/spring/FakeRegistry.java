package dev.agenthealth.spring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A registry that accepts every agent, or refuses every registration, and keeps what it received. */
final class FakeRegistry implements AutoCloseable {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<JsonNode> registrations = new CopyOnWriteArrayList<>();
    private final List<String> drained = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean refuses;
    private volatile boolean hangs;

    FakeRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void refuse() {
        refuses = true;
    }

    /** Answers nothing from now on. */
    void hang() {
        hangs = true;
    }

    List<JsonNode> registrations() {
        return List.copyOf(registrations);
    }

    /** The ids of the agents that sent a heartbeat with {@code draining}. */
    List<String> drained() {
        return List.copyOf(drained);
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode body = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        if (hangs) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/api/v1/agents")) {
            registrations.add(body);
            String id = body.path("agent_id").asText("generated");
            send(
                    exchange,
                    refuses ? 401 : 201,
                    refuses
                            ? "{\"status\":401,\"error\":\"unauthenticated\",\"detail\":\"No such key.\"}"
                            : "{\"agent_id\":\"" + id
                                    + "\",\"incarnation\":1,\"version\":1,\"status\":\"active\",\"heartbeat_config\":{\"interval_seconds\":30}}");
            return;
        }
        boolean draining = body.path("status").asText().equals("draining");
        if (draining) {
            drained.add(path.replaceAll(".*/agents/([^/]+)/.*", "$1"));
        }
        send(exchange, 200, "{\"agent_status\":\"" + (draining ? "deregistered" : "active") + "\"}");
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
