package dev.agenthealth.functions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.ScriptedServer;
import dev.agenthealth.testkit.ScriptedServer.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A random day of a registry: agents, consumers, coordinators and operators act minute by minute. One number gives the same day, whatever faults
 * hit it: who acts when follows from that number alone.
 */
final class Day implements AutoCloseable {

    private static final String ADMIN = TestSystem.ADMINISTRATOR_KEY;

    /** Silence of an agent for so long is a death in any case, also after an outage of the registry. */
    private static final int SURELY_DEAD_MINUTES = 16;

    private static final String CONFIG =
            "\"heartbeat_config\":{\"interval_seconds\":60,\"unhealthy_after_seconds\":180,\"dead_after_seconds\":360}";

    private final FaultySystem system;
    private final Client client;
    private final Random random;
    private final ScriptedServer callee = ScriptedServer.http();
    private final Instant start;
    private final Map<String, Agent> agents = new TreeMap<>();
    private final List<Runnable> later = new ArrayList<>();
    private String agentKey = "";
    private String coordinatorKey = "";
    private int minute;
    private int number;

    /** What the script knows of an agent. */
    private static final class Agent {
        private final String id;
        private State state = State.ALIVE;
        private int since;
        private int deaths;
        private boolean blocked;
        private final Map<String, JsonNode> leases = new HashMap<>();

        private Agent(String id) {
            this.id = id;
        }
    }

    private enum State {
        ALIVE,
        DRAINING,
        SILENT,
        GONE
    }

    Day(long seed, FaultySystem system, Hits hits) {
        this.system = system;
        this.client = new Client(system, hits);
        this.random = new Random(seed);
        this.start = system.clock().instant();
        callee.plays((request, out) -> Script.body(
                        request.line().startsWith("GET")
                                ? "ok"
                                : "{\"jsonrpc\":\"2.0\",\"id\":\""
                                        + request.body().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1")
                                        + "\",\"result\":{\"kind\":\"message\",\"role\":\"agent\",\"messageId\":\"m\","
                                        + "\"parts\":[{\"kind\":\"text\",\"text\":\"Done.\"}]}}")
                .play(request, out));
    }

    /** Keys, a rule of notifications, agents, and one pass of everything; without faults. */
    void begin(int size) {
        agentKey = key("agent").path("api_key").asText();
        coordinatorKey = key("coordinator").path("api_key").asText();
        system.system().sns().confirm("on-call@example.com");
        put(
                "/v1/admin/notifications/on-call",
                201,
                """
                        {"events":["agent.lifecycle"],"target":{"type":"email","address":"on-call@example.com"}}\
                        """);
        for (int i = 0; i < size; i++) {
            register(new Agent("agent-" + i), "");
        }
        String endpoint = "\"endpoint\":\"http://127.0.0.1:" + callee.port() + "/a2a\"";
        register(new Agent("callee"), "," + endpoint);
        client.send("POST", "/api/v1/agents", 201, Set.of(), r -> r.key(agentKey)
                .body("{\"agent_id\":\"watched\"," + endpoint + ",\"watch\":{\"interval_seconds\":60}}"));
        background();
    }

    /** A minute with some acts, and what runs every minute. */
    void minute(int acts) {
        tick();
        for (int i = 0; i < acts; i++) {
            act();
        }
        background();
    }

    /** A minute in which agents only send heartbeats. */
    void quietMinute() {
        tick();
        background();
    }

    private void tick() {
        minute++;
        Instant due = start.plusSeconds(60L * minute);
        if (system.clock().instant().isBefore(due)) {
            system.clock().advance(Duration.between(system.clock().instant(), due));
        }
        List<Runnable> now = List.copyOf(later);
        later.clear();
        now.forEach(Runnable::run);
        heartbeats();
    }

    private void heartbeats() {
        List<Agent> together = new ArrayList<>();
        for (Agent agent : agents.values()) {
            switch (agent.state) {
                case ALIVE -> {
                    if (random.nextInt(4) == 0) {
                        together.add(agent);
                    } else {
                        heartbeat(agent, random.nextInt(3) == 0);
                    }
                }
                case DRAINING -> {
                    client.send(
                            "POST", "/api/v1/agents/" + agent.id + "/heartbeat", Set.of(200, 410), Set.of(), r -> r.key(
                                            agentKey)
                                    .body("{\"status\":\"draining\",\"current_load\":0" + clientTime() + "}"));
                    become(agent, State.GONE);
                }
                case SILENT, GONE -> {}
            }
        }
        if (!together.isEmpty()) {
            String parts = String.join(
                    ",",
                    together.stream()
                            .map(agent ->
                                    "{\"agent_id\":\"" + agent.id + "\",\"status\":\"active\"" + clientTime() + "}")
                            .toList());
            List<JsonNode> unanswered = new ArrayList<>();
            do {
                unanswered.clear();
                client.send("POST", "/api/v1/heartbeats", 200, Set.of(), r -> r.key(agentKey)
                                .body("{\"heartbeats\":[" + parts + "]}"))
                        .response()
                        .json()
                        .path("results")
                        .forEach(result -> {
                            int status = result.path("status_code").asInt();
                            assertThat(status)
                                    .as(result.toString())
                                    .isIn(system.hasFaults() ? List.of(200, 503) : List.of(200));
                            if (status != 200) {
                                unanswered.add(result);
                            }
                        });
            } while (!unanswered.isEmpty());
        }
    }

    /** A heartbeat is answered 200 although its outcomes could not be stored, which its answer says: they are sent again. */
    private void heartbeat(Agent agent, boolean withOutcomes) {
        String path = "/api/v1/agents/" + agent.id;
        String outcomes = withOutcomes ? outcomes() : "";
        Client.Answer answer = client.send("POST", path + "/heartbeat", 200, Set.of(), r -> r.key(agentKey)
                .body("{\"status\":\"active\",\"current_load\":1" + clientTime() + (withOutcomes ? "," + outcomes : "")
                        + "}"));
        int stored = answer.response().json().at("/outcomes/status_code").asInt(202);
        if (stored != 202) {
            assertThat(stored).isEqualTo(503);
            client.send("POST", path + "/outcomes", 202, Set.of(), r -> r.key(agentKey)
                    .body("{" + outcomes + "}"));
        }
    }

    private String clientTime() {
        return ",\"client_timestamp\":\"" + system.clock().instant() + "\"";
    }

    private String outcomes() {
        List<String> results = new ArrayList<>();
        int size = 1 + random.nextInt(5);
        for (int i = 0; i < size; i++) {
            results.add(
                    random.nextInt(5) == 0
                            ? "{\"result\":\"failure\",\"error_type\":\"server_error\"}"
                            : "{\"result\":\"success\",\"latency_ms\":" + (10 + random.nextInt(200)) + "}");
        }
        return "\"batch_id\":\"batch-" + ++number + "\",\"outcomes\":[" + String.join(",", results) + "]";
    }

    /** One of the things that somebody does at any time. */
    private void act() {
        List<Agent> alive = agents.values().stream()
                .filter(agent -> agent.state == State.ALIVE && !agent.id.equals("callee"))
                .toList();
        List<Agent> gone = agents.values().stream()
                .filter(agent -> agent.state == State.GONE
                        || agent.state == State.SILENT && minute - agent.since > SURELY_DEAD_MINUTES)
                .toList();
        int choice = random.nextInt(18);
        Agent agent = alive.isEmpty() ? null : alive.get(random.nextInt(alive.size()));
        if (agent == null || choice == 0) {
            if (!gone.isEmpty()) {
                register(gone.get(random.nextInt(gone.size())), "");
            }
            return;
        }
        String path = "/api/v1/agents/" + agent.id;
        switch (choice) {
            case 1 -> {
                if (alive.size() > 3) {
                    silence(agent.id);
                }
            }
            case 2 -> {
                if (alive.size() > 3) {
                    client.send("DELETE", path, 204, Set.of(404, 410), r -> r.key(agentKey));
                    become(agent, State.GONE);
                }
            }
            case 3 -> {
                if (alive.size() > 3) {
                    client.send("PATCH", path + "/status", 200, Set.of(), r -> r.key(agentKey)
                            .header("if-match", "*")
                            .body("{\"status\":\"draining\"}"));
                    become(agent, State.DRAINING);
                }
            }
            case 4 -> {
                client.send("POST", path + "/commands", 202, Set.of(), r -> r.key(coordinatorKey)
                        .body("{\"command\":\"drain\",\"reason\":\"rest\"}"));
                if (alive.size() > 3 && random.nextBoolean()) {
                    become(agent, State.DRAINING);
                } else {
                    client.send("DELETE", path + "/commands/drain", 204, Set.of(), r -> r.key(coordinatorKey));
                }
            }
            case 5, 6 -> {
                String body = "{" + outcomes() + "}";
                String key = random.nextBoolean() ? agentKey : coordinatorKey;
                client.send("POST", path + "/outcomes", 202, Set.of(), r -> r.key(key)
                        .body(body));
            }
            case 7, 8, 9 -> lease(agent);
            case 10 -> {
                agent.blocked = !agent.blocked;
                String what = agent.blocked ? "block" : "unblock";
                client.send("POST", "/v1/admin/agents/" + agent.id + "/" + what, 200, Set.of(), r -> r.key(ADMIN)
                        .body(agent.blocked ? "{\"reason\":\"review\"}" : ""));
            }
            case 11 -> {
                String silence = "/v1/admin/silences/s-" + ++number;
                put(silence, 201, "{\"scope\":{\"agent_id\":\"" + agent.id + "\"},\"for_seconds\":3600}");
                if (random.nextBoolean()) {
                    later.add(() -> client.send("DELETE", silence, 204, Set.of(404), r -> r.key(ADMIN)));
                }
            }
            case 12 -> put("/v1/agents/callee/credential", 200, "{\"bearer_token\":\"t" + ++number + "\"}");
            case 13, 14 -> invoke();
            case 15 -> {
                JsonNode key = key("viewer");
                String id = "/v1/admin/keys/" + key.path("key_id").asText();
                client.send("PATCH", id, 200, Set.of(), r -> r.key(ADMIN).body("{\"name\":\"n\"}"));
                client.send("DELETE", id, 204, Set.of(404), r -> r.key(ADMIN));
            }
            case 16 -> {
                String body = "{\"capabilities\":[\"c" + ++number % 5 + "\"]}";
                client.send("PATCH", path, 200, Set.of(), r -> r.key(agentKey)
                        .header("if-match", "*")
                        .body(body));
            }
            case 17 -> {
                String host = "/v1/admin/hosts/h" + ++number + ".example";
                put(host, 200, "{\"agent_id\":\"" + agent.id + "\"}");
            }
            default -> throw new IllegalStateException("act " + choice);
        }
    }

    private void register(Agent agent, String more) {
        agents.put(agent.id, agent);
        agent.leases.clear();
        client.send("POST", "/api/v1/agents", 201, Set.of(), r -> r.key(agentKey)
                .body("{\"agent_id\":\"" + agent.id + "\",\"role_id\":\"r\",\"replace\":true," + CONFIG + more + "}"));
        become(agent, State.ALIVE);
    }

    private void become(Agent agent, State state) {
        agent.state = state;
        agent.since = minute;
        if (state != State.ALIVE) {
            agent.leases.clear();
        }
    }

    private void lease(Agent agent) {
        String leases = "/api/v1/intents/intent/leases";
        String scope = agent.id + "-" + random.nextInt(3);
        JsonNode held = agent.leases.get(scope);
        int choice = random.nextInt(3);
        if (held == null) {
            agent.leases.put(
                    scope,
                    client.send("POST", leases, 201, Set.of(200), r -> r.key(agentKey)
                                    .body("{\"agent_id\":\"" + agent.id + "\",\"scope\":\"" + scope
                                            + "\",\"duration_seconds\":36000}"))
                            .response()
                            .json());
            return;
        }
        String lease = leases + "/" + held.path("id").asText();
        switch (choice) {
            case 0 ->
                client.send("PATCH", lease, 200, Set.of(), r -> r.key(agentKey).body("{\"duration_seconds\":36000}"));
            case 1 -> {
                client.send("DELETE", lease, 204, Set.of(), r -> r.key(agentKey));
                agent.leases.remove(scope);
            }
            default -> {
                client.send("POST", lease + "/revoke", 200, Set.of(), r -> r.key(ADMIN));
                agent.leases.remove(scope);
            }
        }
    }

    private void invoke() {
        String id = "call-" + ++number;
        UnaryOperator<Request> call =
                r -> r.key(coordinatorKey).header("idempotency-key", id).body("{\"message\":\"Hello\"}");
        boolean waits = random.nextBoolean();
        // Calls whose function was killed hold their places until their time is over, and the next one may find none.
        client.send(
                "POST",
                "/v1/agents/callee/" + (waits ? "invoke" : "invoke-async"),
                waits ? 200 : 202,
                Set.of(409, 429, 502, 504),
                call);
    }

    private JsonNode key(String role) {
        return client.send("POST", "/v1/admin/keys", 201, Set.of(), r -> r.key(ADMIN)
                        .body("{\"role\":\"" + role + "\"}"))
                .response()
                .json();
    }

    private void put(String path, int expected, String body) {
        client.send("PUT", path, expected, Set.of(200), r -> r.key(ADMIN).body(body));
    }

    /** What runs every minute. */
    private void background() {
        system.work();
        system.schedule("SweepFunction");
        system.schedule("MeasurementFunction");
        system.schedule("ProbeFunction");
        system.publish();
        system.schedule("NotificationFunction");
    }

    /** The agents that the script keeps alive. */
    List<String> alive() {
        return agents.values().stream()
                .filter(agent -> agent.state == State.ALIVE)
                .map(agent -> agent.id)
                .toList();
    }

    /** How often each agent fell silent. */
    Map<String, Integer> deaths() {
        Map<String, Integer> deaths = new TreeMap<>();
        agents.values().forEach(agent -> deaths.put(agent.id, agent.deaths));
        return deaths;
    }

    /** An agent sends no more heartbeats. */
    void silence(String agentId) {
        Agent agent = agents.get(agentId);
        agent.deaths++;
        become(agent, State.SILENT);
    }

    @Override
    public void close() {
        callee.close();
    }
}
