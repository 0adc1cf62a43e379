package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Published;
import dev.agenthealth.model.health.score.ScoreState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events about an agent's health. */
class HealthPublicationTest {

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @Test
    @Tag("AHS-13")
    void a_change_from_healthy_to_degraded_requires_verification() {
        TestAgent agent = harness.agent("degrading", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.system().clock().advance(Published.DWELL);
        agent.sendHeartbeat();
        harness.report(agent, 10, 5, 10);
        harness.measure();
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy", "healthy->degraded");
        List<JsonNode> events = harness.events(agent, "agent.health");
        assertThat(events.get(0).has("calibration_anchor")).isFalse();
        JsonNode fall = events.get(1);
        assertThat(fall.path("calibration_anchor").path("reverification").textValue())
                .isEqualTo("required");
        assertThat(fall.path("severity").textValue()).isEqualTo("warning");
        assertThat(fall.path("timestamp").textValue()).isEqualTo(Timestamps.text(harness.now()));
        assertThat(fall.path("calibration").path("sample_count").longValue()).isEqualTo(35);
        assertThat(fall.path("role_id").textValue()).isEqualTo("worker");
        agent.assertHistoryIsWhole("degrading");
    }

    @Test
    @Tag("AHS-13")
    void only_a_change_to_degraded_requires_verification() {
        TestAgent agent = harness.agent("pausing", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.passMinutes(70, agent);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy", "healthy->unknown");
        assertThat(last(agent).has("calibration_anchor")).isFalse();
        harness.report(agent, 10, 5, 10);
        harness.passMinutes(1, agent);
        assertThat(harness.statusChanges(agent)).endsWith("unknown->degraded");
        assertThat(last(agent).path("calibration_anchor").path("freshness").textValue())
                .isEqualTo("stale");
    }

    @Test
    @Tag("AHM-02")
    void a_change_of_the_score_state_is_published() {
        TestAgent agent = harness.agent("scored", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.passMinutes(6, agent);
        harness.report(agent, 0, 40, 10);
        harness.passMinutes(1, agent);
        assertThat(harness.scoreChanges(agent)).containsExactly("Inactive->Healthy", "Healthy->Degraded");
        assertThat(harness.events(agent, "agent.score").get(0).path("score").decimalValue())
                .isEqualByComparingTo("100");
        harness.passMinutes(65, agent);
        assertThat(harness.scoreChanges(agent)).endsWith("Degraded->Unhealthy", "Unhealthy->Inactive");
        agent.assertHistoryIsWhole("scored");
    }

    @Test
    @Tag("AHS-03")
    @Tag("AHS-04")
    @Tag("exhaustive")
    void an_agent_at_a_boundary_falls_once_and_returns_when_it_stays_healthy_and_its_document_is_current() {
        TestAgent agent = harness.agent("flapping", "");
        harness.report(agent, 475, 25, 10);
        harness.measure();
        Instant begun = harness.now();
        boolean degraded = false;
        int flips = 0;
        while (harness.now().isBefore(begun.plusSeconds(1_200))) {
            harness.system().clock().advanceSeconds(10);
            agent.sendHeartbeat();
            // One more failure makes it degraded, and 19 more successes healthy again.
            harness.report(agent, degraded ? 19 : 0, degraded ? 0 : 1, 10);
            degraded = !degraded;
            flips++;
            harness.measure();
            assertThat(harness.status(agent)).isEqualTo(degraded ? HealthStatus.DEGRADED : HealthStatus.HEALTHY);
        }
        assertThat(flips).isEqualTo(120);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy", "healthy->degraded");
        harness.passMinutes(6, agent);
        assertThat(harness.statusChanges(agent)).endsWith("degraded->healthy").hasSize(3);
    }

    @Test
    @Tag("AHS-13")
    void a_fall_is_published_within_one_pass_and_the_return_when_it_has_held_for_five_minutes() {
        TestAgent agent = harness.agent("short", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.system().clock().advanceSeconds(60);
        harness.report(agent, 0, 10, 10);
        harness.passMinutes(1, agent);
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.DEGRADED);
        assertThat(harness.health(agent).score().state()).isEqualTo(ScoreState.DEGRADED);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy", "healthy->degraded");
        assertThat(last(agent).path("calibration_anchor").path("reverification").textValue())
                .isEqualTo("required");
        assertThat(harness.scoreChanges(agent)).containsExactly("Inactive->Healthy", "Healthy->Degraded");
        // It recovers at once: the fall was an event, and the return waits.
        harness.report(agent, 470, 0, 10);
        harness.passMinutes(5, agent);
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
        assertThat(harness.statusChanges(agent)).endsWith("healthy->degraded");
        harness.passMinutes(1, agent);
        assertThat(harness.statusChanges(agent)).endsWith("healthy->degraded", "degraded->healthy");
        agent.assertHistoryIsWhole("short");
    }

    @Test
    @Tag("AHS-13")
    void a_fall_to_unhealthy_is_published_at_once_and_requires_verification_once() {
        TestAgent agent = harness.agent("falling", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.report(agent, 0, 10, 10);
        harness.passMinutes(1, agent);
        harness.report(agent, 0, 30, 10);
        harness.passMinutes(1, agent);
        assertThat(harness.statusChanges(agent))
                .containsExactly("unknown->healthy", "healthy->degraded", "degraded->unhealthy");
        assertThat(last(agent).has("calibration_anchor")).isFalse();
    }

    @Test
    void no_event_is_published_for_a_deregistered_agent() {
        TestAgent agent = harness.agent("leaving", "");
        harness.report(agent, 20, 0, 10);
        agent.deregister();
        new DueStore(harness.system().database()).markDue(agent.id());
        harness.measure();
        assertThat(harness.statusChanges(agent)).isEmpty();
        agent.assertHistoryIsWhole("leaving");
    }

    private JsonNode last(TestAgent agent) {
        List<JsonNode> events = harness.events(agent, "agent.health");
        return events.get(events.size() - 1);
    }
}
