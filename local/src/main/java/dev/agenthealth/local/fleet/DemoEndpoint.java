package dev.agenthealth.local.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The endpoint at which demo agents answer the gateway's calls, A2A 0.3, and which serves the catalogue of a partner. It is on a free port
 * of this machine. Thread-safe.
 */
public final class DemoEndpoint implements AutoCloseable {

    static final String ANSWERS = "/answers";
    static final String SOMETIMES_FAILS = "/sometimes-fails";
    static final String FAILS = "/fails";
    static final String CATALOGUE = "/catalog.json";

    private static final String CARD = "/notes/agent-card.json";
    private static final String MCP = "/mcp";

    /** The catalogue of a partner: an agent by the address of its card, and a server. {@code @} stands for this address. */
    private static final Map<String, String> DOCUMENTS = Map.of(
            CATALOGUE,
            """
            {"specVersion": "1.0", "entries": [
              {"identifier": "urn:air:partner.example:notes", "mediaType": "application/a2a-agent-card+json", "url": "@/notes/agent-card.json"},
              {"identifier": "urn:air:partner.example:weather", "mediaType": "application/mcp-server-card+json",
               "data": {"name": "weather", "remotes": [{"type": "streamable-http", "url": "@/mcp"}]}}]}""",
            CARD,
            """
            {"name": "Notes", "description": "Takes notes.", "url": "@/answers", "version": "1.0.0", "protocolVersion": "0.3.0",
             "skills": [{"id": "notes", "name": "Notes"}]}""");

    private static final int ONE_IN = 4;

    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();

    private DemoEndpoint(HttpServer server) {
        this.server = server;
    }

    /** @throws IOException if no port is free */
    public static DemoEndpoint open() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        DemoEndpoint endpoint = new DemoEndpoint(server);
        server.createContext(ANSWERS, exchange -> endpoint.answer(exchange, false));
        server.createContext(
                SOMETIMES_FAILS,
                exchange -> endpoint.answer(exchange, endpoint.requests.incrementAndGet() % ONE_IN == 0));
        server.createContext(FAILS, exchange -> endpoint.answer(exchange, true));
        DOCUMENTS.forEach((path, document) ->
                server.createContext(path, exchange -> send(exchange, document.replace("@", endpoint.url()))));
        server.createContext(MCP, endpoint::mcp);
        server.start();
        return endpoint;
    }

    /** Returns the address without a trailing slash. */
    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange, boolean fails) throws IOException {
        ObjectNode answer = answerTo(Json.read(exchange.getRequestBody().readAllBytes()));
        ObjectNode task = answer.putObject("result")
                .put("kind", "task")
                .put("id", UUID.randomUUID().toString())
                .put("contextId", "demo");
        task.putObject("status").put("state", fails ? "failed" : "completed");
        send(exchange, answer.toString());
    }

    /** Answers every request of a probe of an MCP server with the same response. */
    private void mcp(HttpExchange exchange) throws IOException {
        ObjectNode answer = answerTo(Json.read(exchange.getRequestBody().readAllBytes()));
        answer.putObject("result")
                .put("protocolVersion", "2025-06-18")
                .putPOJO("serverInfo", Map.of("name", "weather", "version", "1.0.0"))
                .putPOJO("capabilities", Map.of("tools", Map.of()))
                .putPOJO("tools", List.of(Map.of("name", "get_weather", "inputSchema", Map.of("type", "object"))));
        send(exchange, answer.toString());
    }

    private static ObjectNode answerTo(JsonNode request) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.path("id"));
        return answer;
    }

    private static void send(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
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
