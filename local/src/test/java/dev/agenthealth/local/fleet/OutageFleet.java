package dev.agenthealth.local.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalOptions;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.template.Template;
import dev.agenthealth.testkit.MutableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * A fleet of one kind on the local run, with a clock that the test moves, whose parts can fail: the API, the sweep, the publisher, the receiver of
 * notifications. Keeps every event that the bus delivers and every message that is received.
 */
final class OutageFleet implements AutoCloseable {

    static final int DEAD_AFTER_MINUTES = 8;
    private static final int UNHEALTHY_AFTER_MINUTES = 4;
    private static final int INTERVAL_MINUTES = 2;
    private static final String KEY = "test-administrator-key";
    private static final int BATCH = 100;
    private static final int ATTEMPTS = 5;

    final MutableClock clock = MutableClock.atExampleTime();
    final List<JsonNode> events = Collections.synchronizedList(new ArrayList<>());
    final Map<String, JsonNode> messages = Collections.synchronizedMap(new HashMap<>());
    private final TreeSet<Integer> alive = new TreeSet<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpServer server;
    private final LocalSystem system;
    private final RegistryHttp administrator;
    private final RegistryHttp agents;
    private int minute;
    private int refusedMessages;
    private boolean isIngesting = true;
    private boolean isSweeping = true;
    private boolean isPublishing = true;
    private volatile boolean isReceiving = true;

    OutageFleet() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::passOn);
        server.createContext("/webhook", this::receive);
        server.start();
        system = LocalSystem.start(LocalOptions.of(Template.find(), KEY)
                .clock(clock, clock::advance)
                .byHand()
                .allowLoopbackEndpoints()
                .sweepPeriod(Duration.ofSeconds(60))
                .environment(Map.of("SELF_CHECK_PUBLIC_URL", address("")))
                .out(new PrintStream(new Lines(), false, StandardCharsets.UTF_8)));
        administrator = new RegistryHttp(URI.create(system.baseUrl()), KEY);
        agents = administrator.withNewKey("agent", "fleet", List.of());
        ObjectNode rule = Json.object().put("group_seconds", 60);
        rule.putArray("events").add("agent.lifecycle").add("registry.blackout").add("registry.mass_restart");
        rule.putObject("target").put("type", "webhook").put("url", address("/webhook"));
        assertThat(administrator.put("/v1/admin/notifications/on-call", rule).status())
                .isEqualTo(201);
        pass(1);
    }

    static String id(int agent) {
        return "agent-" + agent;
    }

    /** Registers agents, also such as were registered before. */
    void register(int from, int to) {
        each(IntStream.range(from, to)
                .mapToObj(agent -> (Callable<Void>) () -> {
                    ObjectNode body = Json.object().put("agent_id", id(agent)).put("replace", true);
                    body.put("role_id", "role-" + agent % 7);
                    body.putObject("heartbeat_config")
                            .put("interval_seconds", 60 * INTERVAL_MINUTES)
                            .put("unhealthy_after_seconds", 60 * UNHEALTHY_AFTER_MINUTES)
                            .put("dead_after_seconds", 60 * DEAD_AFTER_MINUTES);
                    RegistryHttp.Answer answer = agents.post("/api/v1/agents", body);
                    assertThat(answer.status()).as("%s", answer.json()).isEqualTo(201);
                    return null;
                })
                .toList());
        IntStream.range(from, to).forEach(alive::add);
    }

    /** Lets agents end: they send nothing from now on. */
    void kill(int from, int to) {
        alive.subSet(from, to).clear();
    }

    void ingestion(boolean works) {
        isIngesting = works;
    }

    void sweep(boolean works) {
        isSweeping = works;
    }

    void publisher(boolean works) {
        isPublishing = works;
    }

    void receiver(boolean works) {
        isReceiving = works;
    }

    /** Lets minutes pass. In each, half of the agents send their heartbeat, and what works of the registry does its work. */
    void pass(int minutes) {
        for (int i = 0; i < minutes; i++) {
            clock.advanceSeconds(60);
            minute++;
            if (isIngesting) {
                sendHeartbeats();
            }
            if (isSweeping) {
                system.runSchedules();
            }
            if (isPublishing) {
                system.drainStreams();
                system.drainQueues();
            }
        }
    }

    /** Lets the process, and the machine with it, stand still. */
    void suspend(Duration time) {
        clock.advance(time);
    }

    private void sendHeartbeats() {
        List<Integer> due = alive.stream()
                .filter(agent -> (agent + minute) % INTERVAL_MINUTES == 0)
                .toList();
        each(IntStream.range(0, (due.size() + BATCH - 1) / BATCH)
                .mapToObj(i -> due.subList(i * BATCH, Math.min(due.size(), (i + 1) * BATCH)))
                .map(some -> (Callable<Void>) () -> {
                    ObjectNode body = Json.object();
                    ArrayNode heartbeats = body.putArray("heartbeats");
                    some.forEach(agent -> heartbeats
                            .addObject()
                            .put("agent_id", id(agent))
                            .put("status", "active")
                            .put("client_timestamp", clock.instant().toString()));
                    RegistryHttp.Answer answer = agents.post("/api/v1/heartbeats", body);
                    // A machine that is busy with other tests may take longer than a client waits.
                    for (int i = 0; i < ATTEMPTS && answer.status() == RegistryHttp.Answer.NO_ANSWER; i++) {
                        answer = agents.post("/api/v1/heartbeats", body);
                    }
                    assertThat(answer.status()).as("%s", answer.json()).isEqualTo(200);
                    assertThat(answer.json().findValuesAsText("status_code"))
                            .hasSize(some.size())
                            .containsOnly("200");
                    return null;
                })
                .toList());
    }

    private void each(List<Callable<Void>> tasks) {
        try {
            for (Future<Void> task : threads.invokeAll(tasks)) {
                task.get();
            }
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    JsonNode health() {
        return administrator.get("/api/v1/health").json();
    }

    /** The number of agents by status, as the sweep counted them last. */
    long inStatus(String status) {
        return health().path("by_lifecycle_status").path(status).asLong();
    }

    JsonNode availability(int agent) {
        return administrator
                .get("/api/v1/agents/" + id(agent) + "/availability")
                .json();
    }

    /** The ids of the agents with an event of the lifecycle to a status. */
    List<String> changed(String status) {
        synchronized (events) {
            return events.stream()
                    .map(event -> event.path("detail"))
                    .filter(detail -> detail.path("new_status").asText().equals(status))
                    .map(detail -> detail.path("agent_id").asText())
                    .toList();
        }
    }

    /** The ids of the events that the bus delivered. */
    List<String> eventIds() {
        synchronized (events) {
            return events.stream()
                    .map(event -> event.path("detail").path("event_id").asText())
                    .toList();
        }
    }

    /** The number of events that the messages of the rule report. */
    int notified() {
        synchronized (messages) {
            return messages.values().stream()
                    .mapToInt(message -> message.path("total").asInt())
                    .sum();
        }
    }

    int refusedMessages() {
        return refusedMessages;
    }

    private String address(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** The way on which the registry checks itself: that of the agents. */
    private void passOn(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (!isIngesting) {
            answer(exchange, 503, new byte[0]);
            return;
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(system.baseUrl() + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (name.equalsIgnoreCase("x-api-key") || name.equalsIgnoreCase("content-type")) {
                request.header(name, values.get(0));
            }
        });
        try {
            HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            answer(exchange, response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        JsonNode message = Json.read(exchange.getRequestBody().readAllBytes());
        if (isReceiving) {
            messages.put(exchange.getRequestHeaders().getFirst("webhook-id"), message.path("data"));
        } else {
            refusedMessages++;
        }
        answer(exchange, isReceiving ? 204 : 503, new byte[0]);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Keeps the events that the bus delivers to the log of the example rule, each a line. */
    private final class Lines extends OutputStream {

        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public void write(int next) {
            write(new byte[] {(byte) next}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            for (int from = offset, end = offset + length; from < end; ) {
                int to = from;
                while (to < end && bytes[to] != '\n') {
                    to++;
                }
                line.write(bytes, from, to - from);
                if (to < end) {
                    keep(line.toByteArray());
                    line.reset();
                }
                from = to + 1;
            }
        }

        private void keep(byte[] text) {
            if (text.length > 0 && text[0] == '[') {
                try {
                    events.add(Json.read(new String(text, StandardCharsets.UTF_8)
                            .replaceFirst("^[^ ]+ ", "")
                            .getBytes(StandardCharsets.UTF_8)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @Override
    public void close() {
        system.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
