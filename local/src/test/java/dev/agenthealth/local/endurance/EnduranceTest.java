package dev.agenthealth.local.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.testkit.Attack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A registry with a fixed heap lives through more than three years of churn: the same agents come, work, die and leave again, some minutes in each
 * piece of that time, and every time to live ends. In its last third the process, its data and its tables hold no more than in the third before.
 */
@Tag("exhaustive")
@Tag("long")
@Tag(Attack.TAG)
class EnduranceTest {

    /** Longer than every time for which something is kept, of which the longest is 400 days. */
    private static final int DAYS_OF_A_THIRD = 405;

    private static final int PIECES_OF_A_THIRD = Attack.size(2, 24);
    private static final int AGENTS = Attack.size(8, 32);
    private static final int MINUTES = 9;
    private static final long SECONDS_BETWEEN = DAYS_OF_A_THIRD * 86_400L / PIECES_OF_A_THIRD - (MINUTES - 1) * 60L;
    /** Figures of an agent's calls are spread over 16 items; the probes have 100 threads. */
    private static final Map<String, Long> BOUNDS =
            Map.of("rows: A G", 16L * AGENTS, "rows", 90L * AGENTS, "threads: probe-0", 100L, "threads", 220L);

    private static final String HEAP = "-Xmx192m";

    private final Attack attack = Attack.begin("endurance");
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final AtomicInteger called = new AtomicInteger();
    private final AtomicInteger notified = new AtomicInteger();
    private final List<Map<String, Long>> samples = new ArrayList<>();
    private final Map<String, Integer> requests = new TreeMap<>();
    private HttpServer server;
    private Process process;
    private BufferedReader answers;
    private RegistryCaller administrator;
    private RegistryCaller owner;
    private String url;
    private String keyId;
    private volatile String catalogue = "";
    private Instant now = Instant.EPOCH;
    private int number;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/agent", exchange -> {
            called.incrementAndGet();
            answer(exchange, reply(Json.read(exchange.getRequestBody().readAllBytes())));
        });
        server.createContext("/webhook", exchange -> {
            notified.incrementAndGet();
            answer(exchange, "{}");
        });
        server.createContext("/catalogue", exchange -> answer(exchange, catalogue));
        server.start();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                java,
                HEAP,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                EnduranceRegistry.class.getName(),
                folder.toString());
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        url = answer();
        administrator = new RegistryCaller(url, EnduranceRegistry.ADMINISTRATOR);
        RegistryCaller.Answer key = ok(administrator.post(
                "/v1/admin/keys", Json.object().put("role", "agent").put("name", "fleet")));
        keyId = key.json().path("key_id").asText();
        owner = new RegistryCaller(url, key.json().path("api_key").asText());
        ObjectNode source = Json.object().put("url", address("/catalogue")).put("key_id", keyId);
        listEntries(0);
        ok(administrator.put("/v1/admin/sources/partner", source));
        ok(administrator.put("/v1/admin/notifications/all", rule("agent.lifecycle")));
    }

    @AfterEach
    void stop() {
        process.destroyForcibly();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void three_years_of_churn_leave_nothing_behind() throws IOException {
        for (int piece = 0; piece < 3 * PIECES_OF_A_THIRD; piece++) {
            live(piece);
        }
        requests.forEach((what, times) -> attack.figure(what, times));
        if (Attack.isLong()) {
            EnduranceChart.write(samples);
        }
        assertThat(Growth.of(samples, BOUNDS)).isEmpty();
        assertThat(requests.get("passes")).isEqualTo(3 * PIECES_OF_A_THIRD * MINUTES);
        assertThat(called.get()).isEqualTo(requests.get("invocations"));
        assertThat(notified.get()).isGreaterThanOrEqualTo(3 * PIECES_OF_A_THIRD);
        Map<String, Long> last = samples.get(samples.size() - 1);
        assertThat(last.get("dead letters")).isZero();
        for (String what : List.of("heap KB", "threads", "file handles", "data KB", "rows")) {
            attack.figure(what, last.get(what));
        }
        attack.figure("messages", notified.get())
                .figure("days", 3L * DAYS_OF_A_THIRD)
                .figure("agents", AGENTS)
                .end();
    }

    /** Some minutes: a quarter of the agents dies, a quarter leaves, all others work; then nothing until the next piece. */
    private void live(int piece) throws IOException {
        pass(SECONDS_BETWEEN);
        renewKeys(piece);
        listEntries(piece);
        IntStream.range(0, AGENTS)
                .filter(agent -> piece == 0 || isLost(agent, piece - 1) || leaves(agent, piece - 1))
                .forEach(agent -> register(agent, piece > 0 && isLost(agent, piece - 1)));
        String rule = "/v1/admin/notifications/piece-";
        count("rules", administrator.put(rule + piece, rule("agent.health")));
        if (piece > 0) {
            ok(administrator.delete(rule + (piece - 1)));
        }
        count("silences", owner.put("/api/v1/silences/piece-" + piece, silence()));
        for (int minute = 1; minute < MINUTES; minute++) {
            int passed = minute;
            heartbeats(IntStream.range(0, AGENTS)
                    .filter(agent -> !isLost(agent, piece) && !(leaves(agent, piece) && passed > 3))
                    .boxed()
                    .toList());
            work(id((piece + 2 + minute % 2) % 4 + 4 * (minute % (AGENTS / 4))));
            if (minute == 3) {
                IntStream.range(0, AGENTS)
                        .filter(agent -> leaves(agent, piece))
                        .forEach(agent -> count("departures", owner.delete("/api/v1/agents/" + id(agent))));
            }
            pass(60);
        }
        assertThat(status(piece % 4)).isEqualTo("dead");
        assertThat(status((piece + 2) % 4)).isEqualTo("active");
        count("deaths", AGENTS / 4);
        samples.add(sample());
    }

    private static boolean isLost(int agent, int piece) {
        return agent % 4 == piece % 4;
    }

    private static boolean leaves(int agent, int piece) {
        return agent % 4 == (piece + 1) % 4;
    }

    private static String id(int agent) {
        return "agent-" + agent;
    }

    private String status(int agent) {
        return ok(owner.get("/api/v1/agents/" + id(agent)))
                .json()
                .path("status")
                .asText();
    }

    private void register(int agent, boolean replaces) {
        ObjectNode body = Json.object()
                .put("agent_id", id(agent))
                .put("role_id", "role-" + agent % 3)
                .put("name", "Agent " + agent)
                .put("endpoint", address("/agent"))
                .put("replace", replaces);
        body.putArray("capabilities").add("capability-" + agent % 5);
        body.putObject("heartbeat_config")
                .put("interval_seconds", 60)
                .put("unhealthy_after_seconds", 120)
                .put("dead_after_seconds", 240);
        count("registrations", owner.post("/api/v1/agents", body));
    }

    private void heartbeats(List<Integer> agents) {
        ObjectNode body = Json.object();
        ArrayNode heartbeats = body.putArray("heartbeats");
        agents.forEach(agent -> heartbeats
                .addObject()
                .put("agent_id", id(agent))
                .put("status", "active")
                .put("client_timestamp", now.toString()));
        ok(owner.post("/api/v1/heartbeats", body)).json().path("results").forEach(result -> assertThat(
                        result.path("status_code").asInt())
                .as("%s", result)
                .isEqualTo(200));
        count("heartbeats", agents.size());
    }

    private void work(String worker) {
        number++;
        ObjectNode outcomes = Json.object().put("batch_id", "batch-" + number);
        ArrayNode list = outcomes.putArray("outcomes");
        list.addObject().put("result", "success").put("latency_ms", 400);
        list.addObject().put("result", "failure").put("error_type", "timeout").put("latency_ms", 900);
        count("reports of outcomes", owner.post("/api/v1/agents/" + worker + "/outcomes", outcomes));
        count("spans", owner.post("/v1/otlp/v1/traces", span(worker)));
        String leases = "/api/v1/intents/intent-" + number + "/leases";
        RegistryCaller.Answer lease = owner.post(
                leases,
                Json.object().put("agent_id", worker).put("scope", "all").put("duration_seconds", 90));
        count("leases", lease);
        if (number % 2 == 0) {
            ok(owner.delete(leases + "/" + lease.json().path("id").asText()));
        }
        ObjectNode message = Json.object().put("message", "work " + number);
        count("invocations", owner.post("/v1/agents/" + worker + "/invoke", message));
        count("invocations", owner.post("/v1/agents/" + worker + "/invoke-async", message));
    }

    private ObjectNode span(String agent) {
        ObjectNode body = Json.object();
        ObjectNode span = body.putArray("resourceSpans")
                .addObject()
                .putArray("scopeSpans")
                .addObject()
                .putArray("spans")
                .addObject();
        span.put("traceId", "%032x".formatted(number)).put("spanId", "%016x".formatted(number));
        span.put("name", "invoke_agent " + agent).put("kind", 1);
        span.put("startTimeUnixNano", now.minusSeconds(1).toEpochMilli() + "000000");
        span.put("endTimeUnixNano", now.toEpochMilli() + "000000");
        ArrayNode attributes = span.putArray("attributes");
        Map.of("gen_ai.operation.name", "invoke_agent", "gen_ai.agent.id", agent)
                .forEach((key, value) -> attributes
                        .addObject()
                        .put("key", key)
                        .putObject("value")
                        .put("stringValue", value));
        return body;
    }

    private void renewKeys(int piece) {
        RegistryCaller.Answer rotated = administrator.post(
                "/v1/admin/keys/" + keyId + "/rotate", Json.object().put("overlap_seconds", 60));
        count("keys", rotated);
        owner = new RegistryCaller(url, rotated.json().path("api_key").asText());
        RegistryCaller.Answer issued = administrator.post(
                "/v1/admin/keys", Json.object().put("role", "viewer").put("name", "piece " + piece));
        count("keys", issued);
        ok(administrator.delete("/v1/admin/keys/" + issued.json().path("key_id").asText()));
    }

    /** Of five servers that the partner may list, three; each comes and goes. */
    private void listEntries(int piece) {
        ObjectNode list = Json.object().put("specVersion", "1.0");
        ArrayNode entries = list.putArray("entries");
        for (int i = 0; i < 3; i++) {
            int server = (piece + i) % 5;
            ObjectNode entry = entries.addObject()
                    .put("identifier", "urn:air:partner.example:servers:server-" + server)
                    .put("displayName", "Server " + server)
                    .put("mediaType", "application/mcp-server-card+json");
            ObjectNode data = entry.putObject("data").put("name", "example.partner/server-" + server);
            data.putArray("remotes").addObject().put("type", "streamable-http").put("url", address("/mcp" + server));
        }
        catalogue = list.toString();
    }

    private ObjectNode rule(String event) {
        ObjectNode body = Json.object().put("group_seconds", 60);
        body.putArray("events").add(event);
        body.putObject("target").put("type", "webhook").put("url", address("/webhook"));
        return body;
    }

    private static ObjectNode silence() {
        return Json.object().put("reason", "deployment").put("for_seconds", 120);
    }

    private String address(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private static String reply(JsonNode request) {
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.path("id"));
        ObjectNode message = answer.putObject("result").put("kind", "message").put("role", "agent");
        message.put("messageId", "1")
                .putArray("parts")
                .addObject()
                .put("kind", "text")
                .put("text", "done");
        return Json.text(answer);
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("content-type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private void pass(long seconds) throws IOException {
        now = Instant.parse(ask("pass " + seconds));
        assertThat(process.isAlive()).isTrue();
        count("passes", 1);
    }

    private Map<String, Long> sample() throws IOException {
        String[] words = ask("sample").split("\t");
        Map<String, Long> sample = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            sample.put(words[i], Long.parseLong(words[i + 1]));
        }
        return sample;
    }

    private String ask(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).write(line + "\n");
        process.outputWriter(StandardCharsets.UTF_8).flush();
        return answer();
    }

    private String answer() throws IOException {
        String line = "";
        while (!line.startsWith(EnduranceRegistry.ANSWER)) {
            line = Objects.requireNonNull(answers.readLine(), "the registry has ended");
        }
        return line.substring(EnduranceRegistry.ANSWER.length());
    }

    private void count(String what, RegistryCaller.Answer answer) {
        ok(answer);
        count(what, 1);
    }

    private void count(String what, int times) {
        requests.merge(what, times, Integer::sum);
    }

    private static RegistryCaller.Answer ok(RegistryCaller.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isBetween(200, 204);
        return answer;
    }
}
