package dev.agenthealth.local.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.testkit.ApiContract;
import dev.agenthealth.testkit.ApiExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between client and registry, keeps what the client sends, and loses connections as a test says. */
final class RecordingProxy implements AutoCloseable {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final List<String> PASSED = List.of("X-API-Key", "Content-Type", "If-Match", "Idempotency-Key");

    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final URI registry;
    private final List<Sent> sent = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private volatile Loss loss = Loss.NONE;

    /** The messages that the network loses. */
    enum Loss {
        NONE,
        REQUESTS,
        ANSWERS,
        ONE_ANSWER
    }

    /** A request; {@code batch_id} in its body is replaced, as it is random. */
    record Sent(String method, String target, JsonNode body) {}

    RecordingProxy(String registryUrl) throws IOException {
        this.registry = URI.create(registryUrl);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::pass);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Sent> sent() {
        return List.copyOf(sent);
    }

    void lose(Loss lost) {
        loss = lost;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String target = exchange.getRequestURI().toString();
            sent.add(new Sent(exchange.getRequestMethod(), target, readable(body)));
            if (loss == Loss.REQUESTS) {
                return;
            }
            HttpResponse<String> answer = forward(exchange, target, body);
            compare(body, answer);
            if (loss == Loss.ANSWERS || loss == Loss.ONE_ANSWER) {
                loss = loss == Loss.ANSWERS ? Loss.ANSWERS : Loss.NONE;
                return;
            }
            answer.headers().map().forEach((name, values) -> {
                if (!name.startsWith(":")
                        && !name.equalsIgnoreCase("content-length")
                        && !name.equalsIgnoreCase("transfer-encoding")) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            byte[] passed = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.statusCode(), passed.length == 0 ? -1 : passed.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(passed);
            }
        }
    }

    private HttpResponse<String> forward(HttpExchange exchange, String target, byte[] body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(registry.resolve(target))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        for (String header : PASSED) {
            exchange.getRequestHeaders()
                    .getOrDefault(header, List.of())
                    .forEach(value -> request.header(header, value));
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** A fault here would look like a lost connection to the client, so it is kept for the test. */
    private void compare(byte[] body, HttpResponse<String> answer) {
        try {
            ApiExchange.ofHttp(answer.request(), body, answer).ifPresent(ApiContract::check);
        } catch (AssertionError e) {
            faults.add(e.getMessage());
        }
    }

    /** The exchanges that the description of the API does not allow. */
    List<String> faults() {
        return List.copyOf(faults);
    }

    private static JsonNode readable(byte[] body) throws IOException {
        JsonNode json = MAPPER.readTree(body);
        if (json instanceof ObjectNode object && object.has("batch_id")) {
            object.put("batch_id", "any");
        }
        return json;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
