package dev.agenthealth.local.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The servers that the registry calls: the agents, by A2A, and a webhook. Answers take a moment, so that processes end in between. Thread-safe. */
final class Receivers implements AutoCloseable {

    private static final long AGENT_MILLIS = 30;
    private static final long WEBHOOK_MILLIS = 200;

    private final HttpServer server;
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(4);
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    private final Map<String, JsonNode> messages = new ConcurrentHashMap<>();
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    Receivers() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(later);
        server.createContext("/agent", exchange -> answer(exchange, AGENT_MILLIS, 200, reply(read(exchange))));
        server.createContext("/webhook", exchange -> {
            keep(exchange.getRequestHeaders().getFirst("webhook-id"), read(exchange));
            answer(exchange, WEBHOOK_MILLIS, 204, new byte[0]);
        });
        server.start();
    }

    String agent() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/agent";
    }

    String webhook() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/webhook";
    }

    /** The number of calls of agents with a text. */
    int calls(String text) {
        return calls.getOrDefault(text, 0);
    }

    /** Texts with which agents were called more than once, and messages that changed under their id. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        calls.forEach((text, times) -> {
            if (times > 1) {
                all.add("called " + times + " times: " + text);
            }
        });
        return all;
    }

    /** The number of events that the messages of a rule report. */
    int notified(String rule) {
        return messages.values().stream()
                .filter(message -> message.path("rule").asText().equals(rule))
                .mapToInt(message -> message.path("total").asInt())
                .sum();
    }

    /** The ids of the events that messages show. */
    List<String> shownEvents() {
        return messages.values().stream()
                .flatMap(message -> message.path("events").findValuesAsText("event_id").stream())
                .toList();
    }

    private void keep(String id, JsonNode message) {
        JsonNode earlier = messages.putIfAbsent(id, message.path("data"));
        if (earlier != null && !earlier.equals(message.path("data"))) {
            problems.add("message " + id + " is " + message + " and was " + earlier);
        }
    }

    private byte[] reply(JsonNode request) {
        String text = request.at("/params/message/parts/0/text").asText();
        calls.merge(text, 1, Integer::sum);
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.path("id"));
        ObjectNode message = answer.putObject("result").put("kind", "message");
        message.put("role", "agent").put("messageId", "1");
        message.putArray("parts").addObject().put("kind", "text").put("text", text);
        return Json.bytes(answer);
    }

    private void answer(HttpExchange exchange, long millis, int status, byte[] body) {
        later.schedule(
                () -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
                        exchange.getResponseBody().write(body);
                    } catch (IOException ended) {
                        // The process that waited for it was killed.
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private static JsonNode read(HttpExchange exchange) throws IOException {
        return Json.read(exchange.getRequestBody().readAllBytes());
    }

    @Override
    public void close() {
        server.stop(0);
        later.shutdownNow();
    }
}
