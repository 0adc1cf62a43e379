package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi.Request;
import dev.agenthealth.functions.testing.TestApi.Response;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

/** The content of the public health document of an agent (Agent Health State §4). */
class HealthDocumentTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());

    private final Healths healths = new Healths(system);

    @Test
    @Tag("AHS-01")
    @Tag("AHS-02")
    @Tag("AHS-07")
    @Tag("AHS-11")
    void the_document_has_exactly_the_structure_of_the_draft() {
        TestAgent agent = new TestAgent(system, "a");
        assertThat(agent.register(
                                """
                                ,"agent_uri":"did:wba:example.com:a","expectations":{"window_seconds":3600},
                                "model":{"name":"m","version":"2","changed_at":"2026-02-01T09:00:00.000Z"}
                                """)
                        .status())
                .isEqualTo(201);
        system.clock().advanceSeconds(86_400);
        healths.compute(
                agent,
                new Measurement(
                        healths.measurement(agent, Healths.counts(0, 0), 0, 0).expectations(),
                        Healths.counts(19, 1),
                        123.4567,
                        1_500,
                        100,
                        100,
                        1));
        system.clock().advanceSeconds(7);
        assertThat(client.document(agent))
                .isEqualTo(
                        Json.stored(
                                """
                                {"schema_version":"0.1.0","agent_id":"did:wba:example.com:a","timestamp":"2026-02-09T10:00:07.000Z",
                                 "health":{"status":"healthy","last_healthy_at":"2026-02-09T10:00:07.000Z","uptime_seconds":86407},
                                 "calibration":{"response_ratio":0.95,"error_ratio":0.05,"latency_p50_ms":123.457,
                                  "latency_p99_ms":1500,"measurement_window_seconds":3600,"sample_count":20},
                                 "decay":{"calibration_trend":"stable","days_since_model_change":8,
                                  "last_capability_update":"2026-02-08T10:00:00.000Z"},
                                 "extensions":{"dev.agenthealth.measured_at":"2026-02-09T10:00:00.000Z",
                                  "dev.agenthealth.sources":{"gateway":0,"coordinator":0,"self":20,"telemetry":0},
                                  "dev.agenthealth.restarts":0,
                                  "dev.agenthealth.agent_id":"a"}}
                                """));
    }

    @Test
    @Tag("AHS-16")
    void the_document_says_when_its_figures_were_computed_and_how_many_outcomes_each_source_reported() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(
                agent,
                healths.measurement(
                        agent,
                        OutcomeCounts.of(
                                Map.of(
                                        OutcomeCounter.SELF_SUCCESSES, 5L,
                                        OutcomeCounter.SELF_FAILURES, 1L,
                                        OutcomeCounter.COORDINATOR_SUCCESSES, 7L,
                                        OutcomeCounter.GATEWAY_SUCCESSES, 8L,
                                        OutcomeCounter.GATEWAY_FAILURES, 2L,
                                        OutcomeCounter.TRIGGER_FAILURES, 9L),
                                LatencyHistogram.EMPTY),
                        0,
                        0));
        system.clock().advanceSeconds(100);
        JsonNode document = client.document(agent);
        assertThat(document.path("timestamp").asText()).isEqualTo("2026-02-08T10:01:40.000Z");
        assertThat(document.path("health").path("uptime_seconds").asLong()).isEqualTo(100);
        assertThat(document.path("extensions"))
                .isEqualTo(
                        Json.stored(
                                """
                                {"dev.agenthealth.measured_at":"2026-02-08T10:00:00.000Z",
                                 "dev.agenthealth.sources":{"gateway":10,"coordinator":7,"self":6,"telemetry":0},"dev.agenthealth.restarts":0,
                                  "dev.agenthealth.agent_id":"a"}
                                """));
        assertThat(document.path("calibration").path("sample_count").asLong()).isEqualTo(23);
        JsonNode whole = client.document(agent, TestSystem.AGENT_KEY);
        assertThat(whole.path("extensions").path("dev.agenthealth.measured_at").asText())
                .isEqualTo("2026-02-08T10:00:00.000Z");
    }

    @Test
    @Tag("AHS-01")
    void the_document_is_available_by_path_and_by_query() {
        TestAgent agent = TestAgent.registered(system, "a");
        healths.compute(agent, 20, 0);
        assertThat(client.read(client.ofHost().query("agent_id", "a")).text())
                .isEqualTo(client.read(client.ofAgent("a")).text());
    }

    @Test
    @Tag("AHS-01")
    @Tag("AHS-11")
    void before_the_first_computation_the_document_has_only_declared_values() {
        TestAgent agent = TestAgent.registered(system, "a");
        system.clock().advanceSeconds(5);
        JsonNode expected = Json.stored(
                """
                {"schema_version":"0.1.0","agent_id":"a","timestamp":"2026-02-08T10:00:05.000Z",
                 "health":{"status":"unknown","last_healthy_at":null,"uptime_seconds":5},
                 "calibration":{"response_ratio":0.0,"error_ratio":0.0,"latency_p50_ms":0,"latency_p99_ms":0,
                  "measurement_window_seconds":86400,"sample_count":0},
                 "decay":{"calibration_trend":"stable","days_since_model_change":null,
                  "last_capability_update":"2026-02-08T10:00:00.000Z"},
                 "extensions":{"dev.agenthealth.sources":{"gateway":0,"coordinator":0,"self":0,"telemetry":0},"dev.agenthealth.restarts":0,
                                  "dev.agenthealth.agent_id":"a"}}
                """);
        assertThat(client.document(agent)).isEqualTo(expected);
        new DueStore(system.database()).markDue(agent.id());
        assertThat(client.document(agent))
                .as("a due mark does not change the document")
                .isEqualTo(expected);
    }

    @Test
    @Tag("AHS-01")
    void an_invalid_id_is_refused_with_the_name_of_its_field() {
        for (String wrong : List.of("~registry", "a b", "a/b", "")) {
            Response refused = client.ofHost().query("agent_id", wrong).send();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().path("errors").findValuesAsText("field")).containsExactly("agent_id");
        }
        assertThat(client.ofAgent("~registry").send().status()).isEqualTo(400);
    }

    @Test
    @Tag("AHS-02")
    void small_and_large_numbers_are_written_without_exponents() {
        TestAgent agent = TestAgent.registered(system, "a");
        for (long samples : new long[] {30_000, 7_000_000, 50_000_000}) {
            healths.compute(
                    agent, healths.measurement(agent, Healths.counts(samples - 1, 1), 0.000_4, 30d * 86_400_000));
            String text = client.read(client.ofAgent("a")).text();
            assertThat(text).doesNotContainPattern("[0-9][eE][+-]?[0-9]");
            JsonNode calibration = Json.stored(text).path("calibration");
            assertThat(calibration.path("error_ratio").asDouble()).isPositive().isLessThan(0.000_1);
            assertThat(calibration.path("response_ratio").asDouble()).isLessThan(1);
            assertThat(calibration.path("latency_p99_ms").asText()).isEqualTo("2592000000");
        }
    }

    @Test
    @Tag("AHS-14")
    @Tag("AHS-19")
    void the_document_contains_no_free_text_of_the_profile_and_no_infrastructure_details() {
        TestAgent agent = new TestAgent(system, "a");
        assertThat(agent.register(
                                """
                                ,"name":"Jane's-name","platform":"secret-platform","provider_id":"secret-provider",
                                "endpoint":"https://10.0.0.7/secret-endpoint","metadata":{"host":"secret-metadata"},
                                "model":{"name":"secret-model","version":"secret-version"}
                                """)
                        .status())
                .isEqualTo(201);
        healths.compute(
                agent,
                healths.measurement(
                        agent,
                        Healths.counts(Map.of(OutcomeCounter.COORDINATOR_SUCCESSES, 20L, OutcomeCounter.TIMEOUTS, 1L)),
                        10,
                        20));
        for (Request request : List.of(
                client.ofAgent("a"),
                client.ofAgent("a").key(TestSystem.OTHER_AGENT_KEY),
                client.ofAgent("a").key(TestSystem.AGENT_KEY))) {
            String text = client.read(request).text();
            assertThat(text).doesNotContain("secret", "Jane", "10.0.0.7", "worker", "arn:", "dynamodb", "java");
        }
    }

    @Test
    @Tag("AHS-14")
    void an_unavailable_storage_is_reported_without_details() {
        TestAgent agent = TestAgent.registered(system, "a");
        for (int i = 0; i < 1_000; i++) {
            system.faults().throttleOn(BatchGetItemRequest.class);
        }
        Response busy = client.ofAgent(agent.id()).send();
        assertThat(busy.status()).isEqualTo(503);
        assertThat(busy.header("Retry-After")).isNotEmpty();
        assertThat(busy.text()).doesNotContain("dynamodb", "Exception", "at dev.");
    }
}
