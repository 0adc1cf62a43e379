package dev.agenthealth.spring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.testkit.ScriptedServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A server that accepts every agent, or refuses every registration, and keeps what it received. */
final class RegistryServer implements AutoCloseable {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final ScriptedServer server = ScriptedServer.http().plays(this::answer);
    private final List<JsonNode> registrations = new CopyOnWriteArrayList<>();
    private final Semaphore arrived = new Semaphore(0);
    private final List<String> drained = new CopyOnWriteArrayList<>();
    private volatile Optional<String> refusal = Optional.empty();
    private volatile boolean hangs;
    private volatile boolean ended;
    private volatile int intervalSeconds = 30;

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    void refuse() {
        refusal = Optional.of("{'status':400,'error':'invalid_request','detail':'A broken rule.'}");
    }

    void refuseKeys() {
        refusal = Optional.of("{'status':401,'error':'unauthenticated','detail':'No such key.'}");
    }

    /** Answers nothing from now on. */
    void hang() {
        hangs = true;
    }

    /** Answers every heartbeat from now on as after a deregistration by an operator. */
    void endByOperator() {
        intervalSeconds = 1;
        ended = true;
    }

    List<JsonNode> registrations() {
        return List.copyOf(registrations);
    }

    /** Waits until so many registrations have come since the last wait, for 30 s at most. */
    void awaitRegistrations(int count) throws InterruptedException {
        if (!arrived.tryAcquire(count, 30, TimeUnit.SECONDS)) {
            throw new AssertionError("registrations: " + registrations);
        }
    }

    /** The ids of the agents that sent a heartbeat with {@code draining}. */
    List<String> drained() {
        return List.copyOf(drained);
    }

    Map<String, String> lastHeaders() {
        List<ScriptedServer.Request> requests = server.requests();
        return requests.get(requests.size() - 1).headers();
    }

    private void answer(ScriptedServer.Request request, OutputStream out) throws IOException {
        if (hangs) {
            server.hang();
        }
        JsonNode body = MAPPER.readTree(request.body());
        String path = request.line().split(" ")[1];
        if (path.equals("/api/v1/agents")) {
            arrived.release();
            // The start of the process differs in each run.
            registrations.add(((ObjectNode) body.deepCopy()).without("started_at"));
            send(
                    out,
                    refusal.map(problem -> problem.contains("401") ? 401 : 400).orElse(201),
                    refusal.orElseGet(() -> "{'agent_id':'"
                            + body.path("agent_id").asText("generated")
                            + "','incarnation':1,'version':1,'status':'active','heartbeat_config':{'interval_seconds':"
                            + intervalSeconds + "}}"));
            return;
        }
        if (ended && path.endsWith("/heartbeat")) {
            send(
                    out,
                    410,
                    "{'status':410,'error':'agent_gone','detail':'x','ended_by':'operator','reason':'deregistered'}");
            return;
        }
        boolean draining = body.path("status").asText().equals("draining");
        if (draining) {
            drained.add(path.replaceAll(".*/agents/([^/]+)/.*", "$1"));
        }
        send(out, 200, "{'agent_status':'" + (draining ? "deregistered" : "active") + "'}");
    }

    private static void send(OutputStream out, int status, String json) throws IOException {
        String head = "HTTP/1.1 " + status + " OK\r\nContent-Type: application/json\r\nContent-Length: " + json.length()
                + "\r\n\r\n";
        out.write((head + json.replace('\'', '"')).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        server.close();
    }
}
