package dev.agenthealth.local.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.local.LocalSystem;
import dev.agenthealth.local.testing.RegistryCaller;
import dev.agenthealth.testkit.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * 300 simulated agents of six roles that worked for four hours: most well, some slowly, some with failures; a few fell silent, are dead, or were
 * blocked or drained. Always the same fleet.
 */
final class ScreenshotFleet {

    /** An agent whose work becomes worse, and better again. */
    static final String SHOWN = "support-17";

    private static final String DRAINED = "coder-30";
    private static final List<String> ROLES =
            List.of("planner", "researcher", "coder", "reviewer", "support", "billing");
    private static final int[] SIZES = {40, 80, 80, 50, 40, 10};
    private static final Duration LENGTH = Duration.ofHours(4);
    private static final Duration STEP = Duration.ofMinutes(5);
    private static final int STEPS = (int) LENGTH.dividedBy(STEP);
    // An agent sends a heartbeat in every third step.
    private static final int BEAT = 3;
    private static final int RUNTIME_MS = 1200;
    private static final int MAX_BATCH = 100;

    private final Random random = new Random(16);
    private final LocalSystem system;
    private final MutableClock clock;
    private final RegistryCaller administrator;
    private final RegistryCaller owner;
    private final List<Agent> agents = new ArrayList<>();

    /** The work of an agent: its share of failures, its runtime as a multiple of what is expected, and the step after which it is silent. */
    private record Agent(String id, String role, double failures, double slowness, int silentFrom) {}

    ScreenshotFleet(LocalSystem system, MutableClock clock, String administratorKey) {
        this.system = system;
        this.clock = clock;
        this.administrator = new RegistryCaller(system.baseUrl(), administratorKey);
        ObjectNode key = Json.object().put("role", "agent").put("name", "fleet");
        key.putArray("provider_ids").add("in-house").add("partner");
        this.owner = new RegistryCaller(
                system.baseUrl(),
                administrator.post("/v1/admin/keys", key).json().path("api_key").asText());
    }

    /** The moment at which the fleet starts, so that its hours end now. */
    static Instant start() {
        return Instant.now().minus(LENGTH).minus(STEP);
    }

    void run() {
        ObjectNode workflow = Json.object();
        for (int r = 0; r < ROLES.size(); r++) {
            ObjectNode role = workflow.withObject("/agents").putObject(ROLES.get(r));
            role.putObject("pool")
                    .put("min_instances", SIZES[r] - (r == 5 ? 0 : 5))
                    .put("max_instances", SIZES[r] * 2);
        }
        assertThat(administrator.put("/api/v1/workflows/assistants", workflow).status())
                .isEqualTo(201);
        for (int r = 0; r < ROLES.size(); r++) {
            for (int i = 0; i < SIZES[r]; i++) {
                register(ROLES.get(r), i);
            }
        }
        for (int step = 0; step < STEPS; step++) {
            act(step);
            // A sweep that comes late gives silent agents more time: those of the last hours come each minute.
            int sweeps = step > STEPS - 20 ? (int) STEP.toMinutes() : 1;
            for (int i = 0; i < sweeps; i++) {
                pass(STEP.dividedBy(sweeps));
            }
        }
        pass(Duration.between(clock.instant(), Instant.now()));
        for (int step = STEPS; step < STEPS + BEAT; step++) {
            act(step);
        }
        pass(Duration.ofSeconds(1));
    }

    private void pass(Duration time) {
        clock.advance(time);
        system.runSchedules();
        system.drainStreams();
        system.drainQueues();
    }

    private void register(String role, int number) {
        String id = "%s-%02d".formatted(role, number);
        int i = agents.size();
        double failures = i % 23 == 7 ? 0.12 : i % 97 == 31 ? 0.6 : random.nextDouble() * 0.02;
        double slowness = i % 13 == 4 ? 1.2 + random.nextDouble() * 0.25 : 0.9 + random.nextDouble() * 0.2;
        int silentFrom =
                switch (i) {
                    case 12, 133 -> STEPS - 15;
                    case 58, 201, 290 -> STEPS - 8;
                    default -> Integer.MAX_VALUE;
                };
        agents.add(new Agent(id, role, failures, slowness, silentFrom));
        ObjectNode agent = Json.object()
                .put("agent_id", id)
                .put("role_id", role)
                .put("name", role.substring(0, 1).toUpperCase(Locale.ROOT) + role.substring(1) + " " + number)
                .put("provider_id", i % 4 == 0 ? "partner" : "in-house")
                .put("platform", i % 3 == 0 ? "langgraph" : "temporal");
        agent.putArray("capabilities").add(role).add("chat");
        agent.putObject("capacity").put("max_concurrent_tasks", 5);
        agent.putObject("model").put("name", "example-model").put("version", "2026-01");
        agent.putObject("heartbeat_config")
                .put("interval_seconds", 900)
                .put("unhealthy_after_seconds", 1800)
                .put("dead_after_seconds", 3600);
        agent.putObject("expectations")
                .put("success_rate", 0.95)
                .put("runtime_ms", RUNTIME_MS)
                .put("baseline_latency_ms", RUNTIME_MS)
                .put("sla_ms", 6000)
                .put("window_seconds", 7200);
        assertThat(owner.post("/api/v1/agents", agent).status()).isEqualTo(201);
    }

    private void act(int step) {
        ArrayNode beats = Json.object().putArray("heartbeats");
        for (int i = 0; i < agents.size(); i++) {
            Agent agent = agents.get(i);
            if (i % BEAT == step % BEAT && step < agent.silentFrom) {
                beats.add(heartbeat(agent, step));
            }
            if (beats.size() == MAX_BATCH || i == agents.size() - 1) {
                ObjectNode batch = Json.object();
                batch.set("heartbeats", beats);
                assertThat(owner.post("/api/v1/heartbeats", batch).json().path("results"))
                        .allSatisfy(
                                result -> assertThat(result.path("status_code").asInt())
                                        .as(result.toString())
                                        .isEqualTo(200));
                beats = Json.object().putArray("heartbeats");
            }
        }
        if (step == STEPS - 5) {
            post("/v1/admin/agents/reviewer-08/block", Json.object().put("reason", "approves its own changes"));
        }
        if (step == STEPS - 1) {
            post("/api/v1/agents/" + DRAINED + "/commands", Json.object().put("command", "drain"));
        }
        if (step == STEPS - 2) {
            ObjectNode lease = Json.object()
                    .put("agent_id", SHOWN)
                    .put("scope", "ticket-4711")
                    .put("duration_seconds", 3600);
            post("/api/v1/intents/answer-tickets/leases", lease);
        }
    }

    private void post(String path, ObjectNode body) {
        RegistryCaller.Answer answer = (path.contains("leases") ? owner : administrator).post(path, body);
        assertThat(answer.status()).as(path + " " + answer.body()).isBetween(200, 204);
    }

    private ObjectNode heartbeat(Agent agent, int step) {
        boolean trouble = agent.id().equals(SHOWN) && step > STEPS / 4 && step < STEPS / 2;
        ObjectNode beat = Json.object()
                .put("agent_id", agent.id())
                .put("status", agent.id().equals(DRAINED) && step >= STEPS ? "draining" : "active")
                .put("client_timestamp", clock.instant().toString())
                .put("current_load", random.nextInt(5))
                .put("batch_id", agent.id() + "-" + step);
        if (step / BEAT % 2 == 0) {
            return beat;
        }
        ArrayNode outcomes = beat.putArray("outcomes");
        for (int n = random.nextInt(5, 12); n > 0; n--) {
            boolean failed = random.nextDouble() < (trouble ? 0.3 : agent.failures());
            double slowness = trouble ? 1.8 : agent.slowness();
            ObjectNode outcome = outcomes.addObject()
                    .put("result", failed ? "failure" : "success")
                    .put("latency_ms", Math.round(RUNTIME_MS * slowness * (0.8 + 0.4 * random.nextDouble())))
                    .put(
                            "occurred_at",
                            clock.instant().minusSeconds(random.nextInt(600)).toString());
            if (failed) {
                outcome.put("error_type", "timeout");
            }
        }
        return beat;
    }
}
