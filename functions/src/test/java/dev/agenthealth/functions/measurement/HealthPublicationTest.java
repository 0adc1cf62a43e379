package dev.agenthealth.functions.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Published;
import dev.agenthealth.model.score.ScoreState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What subscribers are told of an agent's health. */
class HealthPublicationTest {

    private final MeasurementHarness harness = new MeasurementHarness();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    @Tag("AHS-13")
    void a_fall_from_healthy_asks_for_verification() {
        TestAgent agent = harness.agent("falling", "");
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
        assertThat(fall.path("timestamp").textValue()).isEqualTo(harness.now().toString());
        assertThat(fall.path("calibration").path("sample_count").longValue()).isEqualTo(35);
        assertThat(fall.path("role_id").textValue()).isEqualTo("worker");
        agent.assertHistoryIsWhole("falling");
    }

    @Test
    @Tag("AHS-13")
    void to_become_unknown_is_no_fall_but_to_come_back_degraded_is() {
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
    void the_state_of_the_score_is_told_too() {
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
    void an_agent_at_a_boundary_is_told_of_once_in_the_dwell_and_shown_as_it_is() {
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
        List<JsonNode> events = harness.events(agent, "agent.health");
        assertThat(flips).isEqualTo(120);
        assertThat(events).hasSizeLessThanOrEqualTo(5);
        for (int i = 1; i < events.size(); i++) {
            assertThat(Duration.between(at(events.get(i - 1)), at(events.get(i))))
                    .isGreaterThanOrEqualTo(Published.DWELL);
        }
    }

    @Test
    @Tag("AHS-13")
    void a_change_within_the_dwell_is_told_when_it_is_over_if_it_still_holds() {
        TestAgent agent = harness.agent("short", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        harness.system().clock().advanceSeconds(60);
        harness.report(agent, 0, 10, 10);
        harness.passMinutes(3, agent);
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.DEGRADED);
        assertThat(harness.health(agent).score().state()).isEqualTo(ScoreState.DEGRADED);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy");
        assertThat(harness.scoreChanges(agent)).containsExactly("Inactive->Healthy");
        harness.passMinutes(2, agent);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy", "healthy->degraded");
        assertThat(harness.scoreChanges(agent)).containsExactly("Inactive->Healthy", "Healthy->Degraded");
    }

    @Test
    void nobody_is_told_of_an_agent_that_is_deregistered() {
        TestAgent agent = harness.agent("leaving", "");
        harness.report(agent, 20, 0, 10);
        agent.deregister();
        harness.system().stores().due().markDue(agent.id());
        harness.measure();
        assertThat(harness.statusChanges(agent)).isEmpty();
        agent.assertHistoryIsWhole("leaving");
    }

    private JsonNode last(TestAgent agent) {
        List<JsonNode> events = harness.events(agent, "agent.health");
        return events.get(events.size() - 1);
    }

    private static Instant at(JsonNode event) {
        return Instant.parse(event.path("timestamp").textValue());
    }
}
