package dev.agenthealth.local.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A2A agents on this machine, each with its own endpoint and behaviour. The duration of a response is passed to the owner of the clock
 * instead of waiting for it. Thread-safe.
 */
public final class ScriptedAgent implements AutoCloseable {

    /** The behaviours of an agent that is called. */
    public enum Behaviour {
        /** Completes a task at once: A2A 0.3. */
        COMPLETES,
        /** Completes a task at once: A2A 1.0. */
        COMPLETES_1_0,
        /** Answers with a message instead of a task. */
        REPLIES,
        /** Says that it is still at work. */
        WORKS_ON,
        /** Completes a task, and takes {@link #SLOWNESS} for it. */
        IS_SLOW,
        /** Never answers. */
        HANGS,
        /** Sends a byte now and then, for ever. */
        DRIPS,
        /** Sends an answer without an end, as fast as it is read. */
        IS_ENDLESS,
        /** Says how long its answer is, which is too long, and sends it. */
        IS_TOO_LONG,
        /** Breaks off in the middle of an answer. */
        BREAKS_OFF,
        /** Sends the caller to the address at which clouds give out credentials, and to {@link #trap}. */
        REDIRECTS,
        ANSWERS_404,
        ANSWERS_500,
        ANSWERS_HTML,
        /** Responds with the id of another request. */
        ANSWERS_ANOTHER,
        ANSWERS_AN_ERROR,
        FAILS_THE_TASK,
        REJECTS_THE_TASK
    }

    /** The time that {@link Behaviour#IS_SLOW} takes. */
    public static final Duration SLOWNESS = Duration.ofMillis(1_234);

    private static final String TRAP = "/trap";
    private static final long DRIP_MILLIS = 20;

    /** The agents have no card, which is read after answers that are none of JSON-RPC. */
    private static final String CARD = "/.well-known/agent-card.json";

    private final HttpServer server;
    private final ServerSocket rude;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger trapped = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Consumer<Duration> clock;

    /**
     * A request that reached an agent.
     *
     * @param path of its endpoint
     * @param version what the header {@code A2A-Version} says; empty without one
     * @param body JSON; missing where it was none
     */
    public record Call(String path, String version, JsonNode body) {}

    /** @param clock receives the duration of a response before it is sent */
    public ScriptedAgent(Consumer<Duration> clock) {
        this.clock = clock;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        threads.execute(this::beRude);
    }

    /** The endpoint of an agent that behaves so. */
    public String endpoint(Behaviour behaviour) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/agents/" + behaviour + "?tenant=7";
    }

    /** An endpoint with a closed port. */
    public static String deserted() {
        try (ServerSocket briefly = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + briefly.getLocalPort() + "/";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An https endpoint whose server does not support TLS. */
    public String withoutTls() {
        return "https://127.0.0.1:" + rude.getLocalPort() + "/";
    }

    /** The requests that reached any of the agents so far. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    /** The number of requests to the target of {@link Behaviour#REDIRECTS}, or to any other path without an agent. */
    public int trapped() {
        return trapped.get();
    }

    /** From now on {@link #calls} begins anew. */
    public void forget() {
        calls.clear();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals(CARD)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            String version = exchange.getRequestHeaders().getFirst("A2A-Version");
            JsonNode body = read(exchange);
            calls.add(new Call(path, version == null ? "" : version, body));
            if (path.startsWith("/agents/")) {
                behave(exchange, Behaviour.valueOf(path.substring("/agents/".length())), body);
            } else {
                trapped.incrementAndGet();
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private void behave(HttpExchange exchange, Behaviour behaviour, JsonNode request) throws IOException {
        switch (behaviour) {
            case COMPLETES -> json(exchange, result(request, task("completed", request)));
            case COMPLETES_1_0 -> json(exchange, result(request, newerTask(request)));
            case REPLIES -> json(exchange, result(request, message("agent", "You are welcome.")));
            case WORKS_ON -> json(exchange, result(request, task("working", request)));
            case IS_SLOW -> {
                clock.accept(SLOWNESS);
                json(exchange, result(request, task("completed", request)));
            }
            case HANGS -> awaitEnd(exchange);
            case DRIPS -> drip(exchange);
            case IS_ENDLESS -> flood(exchange, 0);
            case IS_TOO_LONG -> flood(exchange, 1L << 40);
            case BREAKS_OFF -> {
                exchange.sendResponseHeaders(200, 1_000);
                exchange.getResponseBody().write("{\"jsonrpc\":".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
            }
            case REDIRECTS -> {
                String here = exchange.getLocalAddress().getHostString() + ":"
                        + exchange.getLocalAddress().getPort();
                exchange.getResponseHeaders().add("Location", "http://" + here + TRAP);
                exchange.getResponseHeaders().add("Location", "http://169.254.169.254/latest/meta-data/");
                exchange.sendResponseHeaders(307, -1);
            }
            case ANSWERS_404 -> exchange.sendResponseHeaders(404, -1);
            case ANSWERS_500 -> send(exchange, 500, "java.lang.OutOfMemoryError: a secret of the agent");
            case ANSWERS_HTML -> send(exchange, 200, "<html><body>Welcome to nginx!</body></html>");
            case ANSWERS_ANOTHER -> {
                ObjectNode answer = result(request, task("completed", request));
                json(exchange, answer.put("id", "another"));
            }
            case ANSWERS_AN_ERROR -> {
                ObjectNode answer = envelope(request);
                answer.putObject("error").put("code", -32603).put("message", "a secret of the agent");
                json(exchange, answer);
            }
            case FAILS_THE_TASK -> json(exchange, result(request, task("failed", request)));
            case REJECTS_THE_TASK -> json(exchange, result(request, task("rejected", request)));
        }
    }

    private static ObjectNode envelope(JsonNode request) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.path("id"));
        return answer;
    }

    private static ObjectNode result(JsonNode request, ObjectNode result) {
        ObjectNode answer = envelope(request);
        answer.set("result", result);
        return answer;
    }

    private static ObjectNode message(String role, String text) {
        ObjectNode message = Json.object();
        message.put("kind", "message").put("role", role).put("messageId", "m-1");
        message.putArray("parts").addObject().put("kind", "text").put("text", text);
        return message;
    }

    /** A task whose artifact says what was asked. */
    private static ObjectNode task(String state, JsonNode request) {
        ObjectNode task = Json.object();
        task.put("kind", "task").put("id", "t-1").put("contextId", "c-1");
        task.putObject("status").put("state", state);
        ObjectNode artifact = task.putArray("artifacts").addObject().put("artifactId", "a-1");
        artifact.putArray("parts").addObject().put("kind", "text").put("text", "Done: " + asked(request));
        return task;
    }

    private static ObjectNode newerTask(JsonNode request) {
        ObjectNode result = Json.object();
        ObjectNode task = result.putObject("task");
        task.put("id", "t-1").put("contextId", "c-1");
        task.putObject("status").put("state", "TASK_STATE_COMPLETED");
        ObjectNode artifact = task.putArray("artifacts").addObject().put("artifactId", "a-1");
        artifact.putArray("parts").addObject().put("text", "Done: " + asked(request));
        return result;
    }

    private static String asked(JsonNode request) {
        return request.path("params")
                .path("message")
                .path("parts")
                .path(0)
                .path("text")
                .asText();
    }

    private void awaitEnd(HttpExchange exchange) throws IOException {
        await(Duration.ofMinutes(1));
        exchange.sendResponseHeaders(200, -1);
    }

    private void drip(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        while (!await(Duration.ofMillis(DRIP_MILLIS))) {
            out.write(' ');
            out.flush();
        }
    }

    private void flood(HttpExchange exchange, long saidLength) throws IOException {
        exchange.sendResponseHeaders(200, saidLength);
        byte[] water = " ".repeat(8_192).getBytes(StandardCharsets.UTF_8);
        while (closed.getCount() > 0) {
            exchange.getResponseBody().write(water);
        }
    }

    /** Returns true where everything ended within the time. */
    private boolean await(Duration atMost) {
        try {
            return closed.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void beRude() {
        while (!rude.isClosed()) {
            try (Socket caller = rude.accept()) {
                caller.getOutputStream().write("220 mail.example.com ready\r\n".getBytes(StandardCharsets.US_ASCII));
                caller.getInputStream().read();
            } catch (IOException e) {
                // The caller is gone, or this agent is.
            }
        }
    }

    private static JsonNode read(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        return body.length == 0 ? Json.object() : Json.read(body);
    }

    private static void json(HttpExchange exchange, ObjectNode json) throws IOException {
        send(exchange, 200, Json.text(json));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            rude.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
