package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.Role;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The score with its four dimensions and their inputs, for authorized keys (Agent Health Model). */
@Tag("AHM-01")
class ScoreTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final Healths healths = new Healths(system);

    @Test
    void the_score_is_returned_with_all_its_inputs() {
        TestAgent agent = new TestAgent(system, "a");
        assertThat(agent.register(
                                ",\"expectations\":{\"runtime_ms\":1000,\"success_rate\":0.9,\"failures_per_hour\":2}")
                        .status())
                .isEqualTo(201);
        Map<OutcomeCounter, Long> counts = Map.ofEntries(
                Map.entry(OutcomeCounter.GATEWAY_SUCCESSES, 3L),
                Map.entry(OutcomeCounter.COORDINATOR_SUCCESSES, 3L),
                Map.entry(OutcomeCounter.SELF_SUCCESSES, 3L),
                Map.entry(OutcomeCounter.SELF_FAILURES, 1L),
                Map.entry(OutcomeCounter.TIMEOUTS, 1L),
                Map.entry(OutcomeCounter.TRIGGER_FAILURES, 2L),
                Map.entry(OutcomeCounter.SLA_BREACHES, 1L),
                Map.entry(OutcomeCounter.LONG_RUNNING, 1L),
                Map.entry(OutcomeCounter.LATENCIES, 10L),
                Map.entry(OutcomeCounter.LATENCY_MICROS, 11_000_000L));
        healths.compute(agent, healths.measurement(agent, Healths.counts(counts), 900, 5_500));
        // R = 1: 9 of 10 succeeded as expected, one failure per hour is within bounds. P = 1 - 0.1 / 0.2. S = 1 -
        // log2(2) / log2(16).
        // O = 0.6 (1 - 1/5) + 0.4 (1 - 2/5). Together 40 + 10 + 15 + 14.4.
        assertThat(score(TestSystem.AGENT_KEY))
                .isEqualTo(
                        Json.stored(
                                """
                                {"agent_id":"a","verdict":"degraded",
                                 "reasons":["Response ratio 0.9000 is below 0.95.","Score 79.40 is below 85."],"score":79.40,"state":"Degraded","health_status":"degraded",
                                 "lifecycle_status":"active","window_seconds":86400,"executions":10,
                                 "computed_at":"2026-02-08T10:00:00.000Z","not_evaluated":[],
                                 "dimensions":{
                                  "reliability":{"score":1,"weight":40,"expected_success_rate":0.9,"actual_success_rate":0.9,
                                   "success_score":1.0,"expected_failures_per_hour":2,"actual_failures_per_hour":1,
                                   "failure_score":1.0,"executions":10,"full_confidence_executions":20,"confidence":0.5},
                                  "performance":{"score":0.5,"weight":20,"expected_runtime_ms":1000,"actual_runtime_ms":1100,
                                   "deviation":0.1,"deviation_allowed":0.2},
                                  "stability":{"score":0.75,"weight":20,"long_running":1,"long_running_threshold":15},
                                  "operational":{"score":0.72,"weight":20,"sla_breaches":1,"sla_breach_threshold":5,
                                   "sla_score":0.8,"trigger_failures":2,"trigger_failure_threshold":5,"trigger_score":0.6}},
                                 "calibration":{"response_ratio":0.9,"error_ratio":0.1,"latency_p50_ms":900,
                                  "latency_p99_ms":5500,"measurement_window_seconds":86400,"sample_count":10},
                                 "calibration_trend":"stable","quality":{"average":null,"evaluations":0,"minimum":null},
                                 "errors":{"client_error":0,"server_error":0,"timeout":1,"malformed":0,"upstream":0,"other":0},
                                 "samples":{"gateway":3,"coordinator":3,"self":4,"telemetry":0}}
                                """));
    }

    @Test
    void an_agent_without_executions_has_neither_a_score_nor_dimensions() {
        TestAgent agent = TestAgent.registered(system, "a");
        JsonNode before = score(TestSystem.AGENT_KEY);
        assertThat(before.path("state").asText()).isEqualTo("Inactive");
        assertThat(before.path("health_status").asText()).isEqualTo("unknown");
        assertThat(before.path("score").isNull()).isTrue();
        assertThat(before.path("computed_at").isNull()).isTrue();
        assertThat(before.path("not_evaluated")).hasSize(4);
        assertThat(before.path("dimensions"))
                .hasSize(4)
                .allMatch(dimension -> dimension.get("score").isNull());
        assertThat(before.at("/dimensions/reliability/actual_success_rate").isNull())
                .isTrue();
        assertThat(before.at("/dimensions/reliability/failure_score").isNull()).isTrue();
        assertThat(before.at("/dimensions/operational/sla_score").isNull()).isTrue();
        assertThat(before.path("dimensions")
                        .path("performance")
                        .path("expected_runtime_ms")
                        .isNull())
                .isTrue();
        healths.compute(agent, 0, 0);
        JsonNode after = score(TestSystem.AGENT_KEY);
        assertThat(after.path("state").asText()).isEqualTo("Inactive");
        assertThat(after.path("score").isNull()).isTrue();
        assertThat(after.path("computed_at").asText()).isEqualTo("2026-02-08T10:00:00.000Z");
    }

    @Test
    void the_response_has_both_scales_and_the_lifecycle_status() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        agent.becomeUnhealthy();
        JsonNode score = score(TestSystem.AGENT_KEY);
        assertThat(score.path("state").asText()).isEqualTo("Healthy");
        assertThat(score.path("health_status").asText()).isEqualTo("degraded");
        assertThat(score.path("lifecycle_status").asText()).isEqualTo("unhealthy");
    }

    @Test
    void only_the_owner_coordinators_and_administrators_see_the_score() {
        TestAgent.registered(system, "a");
        system.addKey("of-its-role", Role.COORDINATOR, Set.of("worker"));
        system.addKey("of-another-role", Role.COORDINATOR, Set.of("other"));
        for (String path : List.of("/api/v1/agents/a/health", "/api/v1/agents/a/health/history")) {
            for (String key : List.of(
                    TestSystem.AGENT_KEY, TestSystem.COORDINATOR_KEY, "of-its-role", TestSystem.ADMINISTRATOR_KEY)) {
                assertThat(system.api().get(path).key(key).send().status()).isEqualTo(200);
            }
            for (String key : List.of(TestSystem.OTHER_AGENT_KEY, "of-another-role")) {
                assertThat(system.api().get(path).key(key).send().status()).isEqualTo(403);
            }
            assertThat(system.api().get(path).send().status()).isEqualTo(401);
            assertThat(system.api().get(path).key("unknown-key").send().status())
                    .isEqualTo(401);
        }
        for (String path : List.of("/api/v1/agents/never/health", "/api/v1/agents/never/health/history")) {
            assertThat(system.api()
                            .get(path)
                            .key(TestSystem.ADMINISTRATOR_KEY)
                            .send()
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void a_deregistered_agent_has_no_score_but_a_dead_one_has() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        agent.becomeDead();
        assertThat(score(TestSystem.AGENT_KEY).path("health_status").asText()).isEqualTo("unhealthy");
        agent.deregister();
        Response gone = request(TestSystem.AGENT_KEY).send();
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.json().path("error").asText()).isEqualTo("agent_gone");
    }

    @Test
    void the_score_is_current_and_not_cacheable() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        assertThat(request(TestSystem.AGENT_KEY).send().header("Cache-Control")).isEqualTo("no-store");
        system.meter().reset();
        request(TestSystem.AGENT_KEY).send();
        assertThat(system.meter().operations()).containsExactly("BatchGetItem", "BatchGetItem", "Query");
        assertThat(system.meter().writeUnits()).isZero();
    }

    private Request request(String key) {
        return system.api().get("/api/v1/agents/a/health").key(key);
    }

    private JsonNode score(String key) {
        Response response = request(key).send();
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        return response.json();
    }
}
