package dev.agenthealth.model.event;

import static dev.agenthealth.model.health.HealthStatus.DEGRADED;
import static dev.agenthealth.model.health.HealthStatus.HEALTHY;
import static dev.agenthealth.model.health.HealthStatus.UNHEALTHY;
import static dev.agenthealth.model.health.HealthStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Healths;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contents of health events, and when they request re-verification. */
@Tag("AHS-13")
class HealthEventsTest {

    private static final Instant NOW = Healths.T0.plusSeconds(1);
    private static final Map<String, Object> STALE =
            Map.of("freshness", "stale", "reverification", "required", "reason", "health_degraded");

    @Test
    @Tag("AHS-08")
    void a_transition_from_healthy_contains_all_fields_and_requests_re_verification() {
        OutcomeCounts counts = Healths.measured(60, 6).counts();
        Measurement measurement = new Measurement(Healths.BASELINE_100, counts, 102.256_097_56, 240, 100, 100, 24);
        Event event = HealthEvents.healthChanged(
                Healths.health(measurement, LifecycleStatus.ACTIVE),
                HEALTHY,
                HEALTHY,
                "billing",
                List.of("invoice", "coordinator"),
                3,
                17,
                NOW);
        assertThat(event.type()).isEqualTo(EventType.AGENT_HEALTH);
        assertThat(event.type().wireName()).isEqualTo("agent.health");
        assertThat(event.eventId()).isEqualTo("agent:agent_1:17");
        assertThat(event.agentId()).isEqualTo("agent_1");
        assertThat(event.isOfIntent()).isFalse();
        assertThat(event.isOfRegistry()).isFalse();
        assertThat(event.sequence()).isEqualTo(17);
        assertThat(event.at()).isEqualTo(NOW);
        assertThat(event.detail())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("type", "agent.health"),
                        Map.entry("event_id", "agent:agent_1:17"),
                        Map.entry("agent_id", "agent_1"),
                        Map.entry("previous_status", "healthy"),
                        Map.entry("new_status", "degraded"),
                        Map.entry("timestamp", "2026-02-08T10:00:01.000Z"),
                        Map.entry("detected_at", "2026-02-08T10:00:01.000Z"),
                        Map.entry("role_id", "billing"),
                        Map.entry("capabilities", List.of("invoice", "coordinator")),
                        Map.entry("reason", "executions"),
                        Map.entry("lifecycle_status", "active"),
                        Map.entry(
                                "calibration",
                                Map.of(
                                        "response_ratio", new BigDecimal("0.90909"),
                                        "error_ratio", new BigDecimal("0.09091"),
                                        "latency_p50_ms", new BigDecimal("102.256"),
                                        "latency_p99_ms", new BigDecimal("240"),
                                        "measurement_window_seconds", 86_400L,
                                        "sample_count", 66L)),
                        Map.entry("calibration_trend", "stable"),
                        Map.entry("last_healthy_at", "2026-02-08T09:59:00.000Z"),
                        Map.entry("severity", "warning"),
                        Map.entry("calibration_anchor", STALE),
                        Map.entry("incarnation", 3L),
                        Map.entry("sequence", 17L)));
    }

    @ParameterizedTest(name = "{0} after {1}, last known {2}: severity {3}, re-verification {4}")
    @CsvSource({
        // falls
        "DEGRADED,  HEALTHY,   HEALTHY, warning, true",
        "UNHEALTHY, HEALTHY,   HEALTHY, error, true",
        // becoming unknown is none, but becoming degraded or unhealthy afterwards is
        "UNKNOWN,   HEALTHY,   HEALTHY, info, false",
        "DEGRADED,  UNKNOWN,   HEALTHY, warning, true",
        "UNHEALTHY, UNKNOWN,   HEALTHY, error, true",
        "HEALTHY,   UNKNOWN,   HEALTHY, info, false",
        // already degraded before, or never healthy
        "UNHEALTHY, DEGRADED,  DEGRADED, error, false",
        "DEGRADED,  UNHEALTHY, UNHEALTHY, warning, false",
        "DEGRADED,  UNKNOWN,   UNHEALTHY, warning, false",
        "UNHEALTHY, UNKNOWN,   DEGRADED, error, false",
        "DEGRADED,  UNKNOWN,   UNKNOWN, warning, false",
        "UNHEALTHY, UNKNOWN,   UNKNOWN, error, false",
        // getting better
        "HEALTHY,   DEGRADED,  DEGRADED, info, false",
        "HEALTHY,   UNHEALTHY, UNHEALTHY, info, false",
        "HEALTHY,   UNKNOWN,   UNKNOWN, info, false",
        "UNKNOWN,   DEGRADED,  DEGRADED, info, false"
    })
    void a_degradation_is_relative_to_the_last_known_status(
            HealthStatus status, HealthStatus previous, HealthStatus lastKnown, String severity, boolean stale) {
        Map<String, Object> detail =
                changed(status(status), previous, lastKnown).detail();
        assertThat(detail)
                .containsEntry("new_status", status.wireName())
                .containsEntry("previous_status", previous.wireName());
        assertThat(detail).containsEntry("severity", severity);
        assertThat(detail.get("calibration_anchor")).isEqualTo(stale ? STALE : null);
    }

    @Test
    void a_dead_agent_s_event_has_the_lifecycle_status_and_is_a_degradation() {
        AgentHealth dead = Healths.health(Healths.measured(100, 0), LifecycleStatus.DEAD);
        assertThat(changed(dead, HEALTHY, HEALTHY).detail())
                .containsEntry("new_status", "unhealthy")
                .containsEntry("lifecycle_status", "dead")
                .containsEntry("calibration_anchor", STALE);
    }

    @Test
    void missing_values_are_omitted() {
        AgentHealth never = Healths.health(Healths.measured(0, 0), LifecycleStatus.ACTIVE, false, Instant.MIN);
        Map<String, Object> detail = changed(never, DEGRADED, DEGRADED).detail();
        assertThat(detail)
                .doesNotContainKeys("role_id", "last_healthy_at", "calibration_anchor")
                .containsEntry("capabilities", List.of())
                .containsEntry(
                        "calibration",
                        Map.of(
                                "response_ratio",
                                BigDecimal.ZERO,
                                "error_ratio",
                                BigDecimal.ZERO,
                                "latency_p50_ms",
                                BigDecimal.valueOf(80),
                                "latency_p99_ms",
                                BigDecimal.valueOf(240),
                                "measurement_window_seconds",
                                86_400L,
                                "sample_count",
                                0L));
    }

    @Test
    @Tag("AHS-09")
    @Tag("AHS-10")
    void the_event_contains_the_agent_s_window_and_trend() {
        Expectations hour = new Expectations(Map.of(Expectation.WINDOW_SECONDS, 3_600d));
        Measurement declining = Healths.measured(hour, Healths.measured(60, 40).counts(), 100, 100);
        Map<String, Object> detail = changed(Healths.health(declining, LifecycleStatus.ACTIVE), HEALTHY, HEALTHY)
                .detail();
        assertThat(detail).containsEntry("calibration_trend", "declining");
        assertThat(detail.get("calibration")).asString().contains("measurement_window_seconds=3600");
    }

    /** A ratio of 0.9499999... is degraded, and 0.95 beside it would not explain why. */
    @ParameterizedTest(name = "{0} of {1}: {2} and {3}")
    @CsvSource({
        "95,        100,        0.95,     0.05",
        "949999999, 1000000000, 0.949999, 0.050001",
        "499999999, 1000000000, 0.499999, 0.500001",
        "1000000,   1000000,    1,        0",
        "0,         1000000,    0,        1",
        "9999999,   10000000,   0.999999, 0.000001",
        "2,         3,          0.666666, 0.333334"
    })
    @Tag("AHS-03")
    void ratios_are_rounded_towards_the_worse(long successes, long samples, String response, String error) {
        AgentHealth health = Healths.health(Healths.measured(successes, samples - successes), LifecycleStatus.ACTIVE);
        assertThat(changed(health, UNKNOWN, UNKNOWN).detail().get("calibration"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("response_ratio", new BigDecimal(response))
                .containsEntry("error_ratio", new BigDecimal(error));
    }

    @ParameterizedTest
    @CsvSource({
        "60, 0, DEAD,      lifecycle",
        "60, 0, UNHEALTHY, lifecycle",
        "60, 0, ACTIVE,    executions",
        "6, 60, DEAD,      executions",
        "6, 60, UNHEALTHY, executions",
        "0, 0,  DEAD,      lifecycle"
    })
    void the_reason_says_whether_the_status_follows_from_the_lifecycle_status_alone(
            int successes, int failures, LifecycleStatus lifecycle, String reason) {
        AgentHealth health = Healths.health(Healths.measured(successes, failures), lifecycle);
        assertThat(changed(health, HEALTHY, HEALTHY).detail()).containsEntry("reason", reason);
    }

    @Test
    @Tag("AHS-15")
    void a_personal_agent_s_event_contains_only_the_status() {
        AgentHealth personal =
                Healths.health(Healths.measured(60, 6), LifecycleStatus.ACTIVE, true, Healths.T0.minusSeconds(60));
        assertThat(changed(personal, HEALTHY, HEALTHY).detail())
                .containsOnlyKeys(
                        "type",
                        "event_id",
                        "agent_id",
                        "previous_status",
                        "new_status",
                        "timestamp",
                        "detected_at",
                        "capabilities",
                        "reason",
                        "lifecycle_status",
                        "severity",
                        "calibration_anchor",
                        "incarnation",
                        "sequence")
                .containsEntry("new_status", "degraded")
                .containsEntry("calibration_anchor", STALE);
    }

    @Test
    @Tag("AHM-02")
    void a_change_of_the_score_s_state_contains_the_score_and_its_dimensions() {
        Expectations expected = new Expectations(Map.of(Expectation.RUNTIME_MS, 200d));
        OutcomeCounts counts = OutcomeCounts.of(
                Map.of(
                        OutcomeCounter.SELF_SUCCESSES, 90L,
                        OutcomeCounter.SELF_FAILURES, 10L,
                        OutcomeCounter.LATENCIES, 100L,
                        OutcomeCounter.LATENCY_MICROS, 100L * 220_000,
                        OutcomeCounter.LONG_RUNNING, 1L,
                        OutcomeCounter.SLA_BREACHES, 2L,
                        OutcomeCounter.TRIGGER_FAILURES, 1L),
                LatencyHistogram.EMPTY);
        AgentHealth health = Healths.health(Healths.measured(expected, counts, 0, 0), LifecycleStatus.ACTIVE);
        Event event = HealthEvents.scoreChanged(health, ScoreState.HEALTHY, "billing", List.of("invoice"), 3, 18, NOW);
        assertThat(event.type()).isEqualTo(EventType.AGENT_SCORE);
        assertThat(event.sequence()).isEqualTo(18);
        assertThat(event.at()).isEqualTo(NOW);
        assertThat(event.detail())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("type", "agent.score"),
                        Map.entry("severity", "warning"),
                        Map.entry("event_id", "agent:agent_1:18"),
                        Map.entry("agent_id", "agent_1"),
                        Map.entry("previous_state", "Healthy"),
                        Map.entry("new_state", "Degraded"),
                        Map.entry("timestamp", "2026-02-08T10:00:01.000Z"),
                        Map.entry("detected_at", "2026-02-08T10:00:01.000Z"),
                        Map.entry("role_id", "billing"),
                        Map.entry("capabilities", List.of("invoice")),
                        Map.entry("score", new BigDecimal("77.13")),
                        Map.entry(
                                "dimensions",
                                Map.of(
                                        "reliability", new BigDecimal("0.9632"),
                                        "performance", new BigDecimal("0.5"),
                                        "stability", new BigDecimal("0.75"),
                                        "operational", new BigDecimal("0.68"))),
                        Map.entry("not_evaluated", List.of()),
                        Map.entry("incarnation", 3L),
                        Map.entry("sequence", 18L)));
    }

    @Test
    void a_score_names_what_was_not_evaluated_and_has_two_decimals() {
        AgentHealth health = Healths.health(Healths.measured(100, 0), LifecycleStatus.ACTIVE);
        assertThat(scored(health, ScoreState.INACTIVE).detail())
                .containsEntry("score", new BigDecimal("100.00"))
                .containsEntry("not_evaluated", List.of("performance", "stability"))
                .containsEntry(
                        "dimensions", Map.of("reliability", new BigDecimal("1"), "operational", new BigDecimal("1")))
                .doesNotContainKey("role_id");
    }

    @Test
    @Tag("AHM-08")
    void an_inactive_agent_has_a_state_but_no_score() {
        AgentHealth inactive = Healths.health(Healths.measured(0, 0), LifecycleStatus.ACTIVE);
        assertThat(scored(inactive, ScoreState.DEGRADED).detail())
                .containsEntry("previous_state", "Degraded")
                .containsEntry("new_state", "Inactive")
                .doesNotContainKeys("score", "dimensions", "not_evaluated");
    }

    @Test
    @Tag("AHS-15")
    void a_personal_agent_s_score_event_contains_only_the_state() {
        AgentHealth personal = Healths.health(Healths.measured(100, 0), LifecycleStatus.ACTIVE, true, Healths.T0);
        assertThat(scored(personal, ScoreState.DEGRADED).detail())
                .containsEntry("new_state", "Healthy")
                .doesNotContainKeys("score", "dimensions", "not_evaluated");
    }

    private static AgentHealth status(HealthStatus status) {
        Measurement measurement =
                switch (status) {
                    case HEALTHY -> Healths.measured(100, 0);
                    case DEGRADED -> Healths.measured(90, 10);
                    case UNHEALTHY -> Healths.measured(10, 90);
                    case UNKNOWN -> Healths.measured(1, 0);
                };
        return Healths.health(measurement, LifecycleStatus.ACTIVE);
    }

    private static Event changed(AgentHealth health, HealthStatus previous, HealthStatus lastKnown) {
        return HealthEvents.healthChanged(health, previous, lastKnown, "", List.of(), 1, 2, NOW);
    }

    private static Event scored(AgentHealth health, ScoreState previous) {
        return HealthEvents.scoreChanged(health, previous, "", List.of(), 1, 2, NOW);
    }
}
