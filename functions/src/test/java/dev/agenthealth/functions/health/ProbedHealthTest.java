package dev.agenthealth.functions.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Health documents of watched agents without executions. */
@Tag("AHS-20")
class ProbedHealthTest {

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final HealthClient client = new HealthClient(system.api());
    private final Healths healths = new Healths(system);
    private final TestAgent agent = new TestAgent(system, "watched");

    @BeforeEach
    void watch() {
        assertThat(agent.register(
                                """
                                        ,"endpoint":"https://watched.example.com/","watch":{"interval_seconds":60},\
                                        "expectations":{"window_seconds":3600}\
                                        """)
                        .status())
                .isEqualTo(201);
        system.clock().advanceSeconds(1_200);
        agent.sendHeartbeat();
    }

    private void probed(String failure, long sinceSeconds) {
        ProbeStore probes = new ProbeStore(system.database());
        Instant now = system.clock().instant();
        ProbeResult first = new ProbeResult(now.minusSeconds(sinceSeconds), failure, "", 42, Instant.EPOCH);
        ProbeResult last = new ProbeResult(now, failure, "", 42, Instant.EPOCH);
        ProbeState state = ProbeState.NONE.then(first).then(last);
        assertThat(probes.replace(agent.id(), probes.current(agent.id()), state))
                .isTrue();
    }

    @Test
    void the_document_shows_the_probes_and_the_score_does_not() {
        probed("", 1_140);
        system.meter().reset();
        JsonNode document = client.document(agent);
        assertThat(document.get("calibration"))
                .isEqualTo(
                        Json.stored(
                                """
                                {"response_ratio":1.0,"error_ratio":0.0,"latency_p50_ms":42,"latency_p99_ms":42,
                                 "measurement_window_seconds":3600,"sample_count":20}"""));
        assertThat(document.at("/health/status").textValue()).isEqualTo("healthy");
        assertThat(document.at("/health/last_healthy_at").textValue())
                .isEqualTo(document.get("timestamp").textValue());
        assertThat(document.get("extensions").get("dev.agenthealth.sources").toString())
                .isEqualTo(
                        """
                        {"gateway":0,"coordinator":0,"self":0,"telemetry":0,"probe":20}\
                        """);
        assertThat(system.meter().writeUnits()).isZero();
        JsonNode whole = client.document(agent, TestSystem.AGENT_KEY);
        assertThat(whole.get("calibration")).isEqualTo(document.get("calibration"));
        assertThat(whole.get("extensions")
                        .get("dev.agenthealth.score")
                        .get("score")
                        .isNull())
                .isTrue();
        JsonNode score = system.api()
                .get("/api/v1/agents/watched/health")
                .key(TestSystem.AGENT_KEY)
                .send()
                .json();
        assertThat(score.get("health_status").textValue()).isEqualTo("unknown");
        assertThat(score.get("executions").longValue()).isZero();
    }

    @Test
    void failing_probes_make_it_unhealthy_and_too_few_leave_it_unknown() {
        probed("HTTP 503", 600);
        JsonNode document = client.document(agent);
        assertThat(document.at("/health/status").textValue()).isEqualTo("unhealthy");
        assertThat(document.at("/health/last_healthy_at").isNull()).isTrue();
        assertThat(document.at("/calibration/error_ratio").doubleValue()).isEqualTo(1);
        probed("", 60);
        assertThat(client.document(agent).at("/health/status").textValue()).isEqualTo("unknown");
    }

    @Test
    void an_agent_with_executions_shows_these_alone() {
        healths.compute(agent, 19, 1);
        probed("HTTP 503", 1_140);
        JsonNode document = client.document(agent);
        assertThat(document.at("/calibration/sample_count").intValue()).isEqualTo(20);
        assertThat(document.at("/health/status").textValue()).isEqualTo("healthy");
        assertThat(document.get("extensions").get("dev.agenthealth.sources").has("probe"))
                .isFalse();
    }

    @Test
    void an_agent_that_is_not_watched_shows_none_and_reads_none() {
        probed("", 1_140);
        agent.change("{\"watch\":null}");
        assertThat(client.document(agent).at("/calibration/sample_count").intValue())
                .isZero();
    }

    @Test
    void the_document_of_a_personal_agent_shows_the_status_alone() {
        agent.change("{\"personal\":true}");
        probed("", 1_140);
        JsonNode document = client.document(agent);
        assertThat(document.at("/health/status").textValue()).isEqualTo("healthy");
        assertThat(document.has("calibration")).isFalse();
    }
}
