package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The endpoint at which demo agents answer calls of the gateway: A2A 0.3 on a free port of this machine. Thread-safe. */
public final class DemoEndpoint implements AutoCloseable {

    static final String ANSWERS = "/answers";
    static final String SOMETIMES_FAILS = "/sometimes-fails";
    static final String FAILS = "/fails";

    private static final int ONE_IN = 4;
    private static final JsonMapper MAPPER = new JsonMapper();

    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();

    private DemoEndpoint(HttpServer server) {
        this.server = server;
    }

    /** @throws IOException when there is no free port */
    public static DemoEndpoint open() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        DemoEndpoint endpoint = new DemoEndpoint(server);
        server.createContext(ANSWERS, exchange -> endpoint.answer(exchange, false));
        server.createContext(
                SOMETIMES_FAILS,
                exchange -> endpoint.answer(exchange, endpoint.requests.incrementAndGet() % ONE_IN == 0));
        server.createContext(FAILS, exchange -> endpoint.answer(exchange, true));
        server.start();
        return endpoint;
    }

    /** Without a slash at the end. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, boolean fails) throws IOException {
        try (exchange) {
            JsonNode request = MAPPER.readTree(exchange.getRequestBody());
            ObjectNode answer = MAPPER.createObjectNode().put("jsonrpc", "2.0");
            answer.set("id", request.path("id"));
            ObjectNode task = answer.putObject("result")
                    .put("kind", "task")
                    .put("id", UUID.randomUUID().toString())
                    .put("contextId", "demo");
            task.putObject("status").put("state", fails ? "failed" : "completed");
            byte[] body = MAPPER.writeValueAsBytes(answer);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
