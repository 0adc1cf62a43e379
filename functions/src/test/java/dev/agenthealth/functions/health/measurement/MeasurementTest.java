package dev.agenthealth.functions.health.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.model.health.AgentHealth;
import dev.agenthealth.model.health.CalibrationTrend;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementTest {

    @AutoClose
    private final MeasurementHarness harness = new MeasurementHarness();

    @Test
    @Tag("AHS-06")
    @Tag("AHM-02")
    void an_agent_without_outcomes_is_unknown_and_inactive() {
        TestAgent agent = harness.agent("quiet", "");
        assertThat(harness.measure()).as("nothing is due").containsEntry("computed", 0L);
        new DueStore(harness.system().database()).markDue(agent.id());
        harness.measure();
        AgentHealth health = harness.health(agent);
        assertThat(health.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(health.score().state()).isEqualTo(ScoreState.INACTIVE);
        assertThat(health.measurement().counts()).isEqualTo(OutcomeCounts.NONE);
        assertThat(health.wasEverHealthy()).isFalse();
        assertThat(harness.statusChanges(agent)).isEmpty();
        assertThat(harness.scoreChanges(agent)).isEmpty();
    }

    @Test
    @Tag("AHS-03")
    @Tag("AHS-08")
    void the_next_run_includes_new_outcomes() {
        TestAgent agent = harness.agent("busy", "");
        harness.report(agent, 19, 1, 200);
        harness.measure();
        AgentHealth health = harness.health(agent);
        assertThat(health.status()).isEqualTo(HealthStatus.HEALTHY);
        assertThat(health.measurement().responseRatio()).isEqualTo(0.95);
        assertThat(health.measurement().sampleCount()).isEqualTo(20);
        assertThat(health.measurement().latencyP50Ms()).isCloseTo(200, within(10d));
        assertThat(health.measurement().latencyP99Ms()).isCloseTo(200, within(10d));
        assertThat(health.lastHealthyAt()).isEqualTo(harness.now());
        harness.report(agent, 0, 1, 200);
        harness.measureAfter(Duration.ofSeconds(60));
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.DEGRADED);
        assertThat(harness.health(agent).lastHealthyAt()).isEqualTo(harness.now());
    }

    @Test
    @Tag("AHM-07")
    @Tag("AHS-09")
    void outcomes_leave_the_window_without_new_reports() {
        TestAgent agent = harness.agent("once", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 10, 0, 5);
        harness.measure();
        harness.measureAfter(Duration.ofMinutes(59));
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(10);
        harness.measureAfter(Duration.ofMinutes(3));
        AgentHealth later = harness.health(agent);
        assertThat(later.measurement().sampleCount()).isZero();
        assertThat(later.measurement().previousSamples()).isEqualTo(10);
        assertThat(later.status()).isEqualTo(HealthStatus.UNKNOWN);
        assertThat(later.measurement().latencyP99Ms()).isZero();
        harness.measureAfter(Duration.ofMinutes(60));
        assertThat(harness.health(agent).measurement().previousSamples()).isZero();
        assertThat(harness.measureAfter(Duration.ofHours(30)))
                .as("nothing changes by time alone")
                .containsEntry("computed", 0L);
    }

    @Test
    @Tag("AHS-08")
    void late_outcomes_count_in_the_window_of_their_time() {
        TestAgent agent = harness.agent("late", MeasurementHarness.ONE_HOUR);
        Instant start = harness.now();
        harness.report(agent, 5, 0, 10);
        harness.measure();
        harness.measureAfter(Duration.ofMinutes(30));
        harness.measureAfter(Duration.ofMinutes(20));
        harness.report(agent, 3, 4, 10, start);
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(12);
        harness.measureAfter(Duration.ofMinutes(20));
        harness.report(agent, 0, 2, 10, start);
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(harness.health(agent).measurement().sampleCount()).isZero();
        assertThat(harness.health(agent).measurement().previousSamples()).isEqualTo(14);
        assertThat(harness.health(agent).measurement().previousSuccesses()).isEqualTo(8);
    }

    @Test
    @Tag("AHS-10")
    void the_trend_compares_with_the_previous_window() {
        TestAgent agent = harness.agent("declining", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 100, 0, 10);
        harness.measure();
        assertThat(harness.health(agent).measurement().trend()).isEqualTo(CalibrationTrend.STABLE);
        harness.measureAfter(Duration.ofMinutes(61));
        harness.report(agent, 90, 10, 10);
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(harness.health(agent).measurement().trend()).isEqualTo(CalibrationTrend.STABLE);
        harness.report(agent, 0, 1, 10);
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(harness.health(agent).measurement().trend()).isEqualTo(CalibrationTrend.DECLINING);
    }

    @Test
    @Tag("AHS-05")
    @Tag("AHS-07")
    void a_dead_agent_is_unhealthy_and_its_measurement_restarts_with_its_registration() {
        TestAgent agent = harness.agent("mortal", "");
        harness.report(agent, 20, 0, 10);
        harness.measure();
        Instant healthy = harness.now();
        agent.becomeDead();
        new DueStore(harness.system().database()).markDue(agent.id());
        harness.measure();
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.UNHEALTHY);
        assertThat(harness.health(agent).lifecycle()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(harness.health(agent).lastHealthyAt()).isAfterOrEqualTo(healthy);
        assertThat(harness.statusChanges(agent)).containsExactly("unknown->healthy", "healthy->unhealthy");
        harness.system().clock().advanceSeconds(60);
        assertThat(agent.register("").status()).isEqualTo(201);
        harness.measure();
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
        assertThat(harness.health(agent).subject().startedAt()).isEqualTo(harness.now());
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(20);
    }

    @Test
    @Tag("AHS-11")
    @Tag("AHS-15")
    void the_next_run_includes_a_profile_change() {
        TestAgent agent =
                harness.agent("changing", """
                ,"model":{"name":"m","version":"1"}\
                """);
        new DueStore(harness.system().database()).markDue(agent.id());
        harness.measure();
        assertThat(harness.health(agent).subject().modelChangedAt()).isEqualTo(Instant.MIN);
        harness.system().clock().advanceSeconds(3_600);
        patch(
                agent,
                """
                        {"model":{"name":"m","version":"2"},"capabilities":["new"],"personal":true,\
                        "agent_uri":"did:wba:example.com:changing"}\
                        """);
        harness.measure();
        AgentHealth health = harness.health(agent);
        assertThat(health.subject().modelChangedAt()).isEqualTo(harness.now());
        assertThat(health.subject().capabilitiesUpdatedAt()).isEqualTo(harness.now());
        assertThat(health.subject().personal()).isTrue();
        assertThat(health.subject().agentUri()).isEqualTo("did:wba:example.com:changing");
    }

    @ParameterizedTest
    @CsvSource({"86400, 3600", "3600, 86400", "300, 604800", "604800, 300", "3600, 3700", "86400, 86401"})
    @Tag("AHM-07")
    @Tag("AHM-09")
    void a_changed_window_restarts_the_measurement(int before, int after) {
        TestAgent agent = harness.agent("windows", ",\"expectations\":{\"window_seconds\":" + before + "}");
        harness.report(agent, 20, 0, 10);
        harness.measureAfter(Duration.ofSeconds(100));
        assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
        harness.report(agent, 7, 0, 10);
        for (int seconds : new int[] {after, before}) {
            Instant earlier = harness.now();
            harness.system().clock().advanceSeconds(3);
            patch(agent, "{\"expectations\":{\"window_seconds\":" + seconds + "}}");
            harness.measure();
            Measurement restarted = harness.health(agent).measurement();
            assertThat(restarted.expectations().window().seconds()).isEqualTo(seconds);
            assertThat(restarted.sampleCount()).isZero();
            assertThat(restarted.previousSamples()).isZero();
            assertThat(harness.status(agent)).isEqualTo(HealthStatus.UNKNOWN);
            assertThat(harness.health(agent).score().state()).isEqualTo(ScoreState.INACTIVE);
            harness.report(agent, 12, 0, 10);
            harness.report(agent, 5, 0, 10, earlier);
            for (int i = 0; i < 5; i++) {
                harness.measureAfter(Duration.ofSeconds(50));
                assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(12);
            }
            assertThat(harness.status(agent)).isEqualTo(HealthStatus.HEALTHY);
            harness.measureAfter(Duration.ofSeconds(
                    seconds + MeasurementWindow.ofSeconds(seconds).sliceWidth()));
            assertThat(harness.health(agent).measurement().sampleCount()).isZero();
            assertThat(harness.health(agent).measurement().previousSamples()).isEqualTo(12);
        }
    }

    @Test
    @Tag("AHM-04")
    void failures_per_hour_are_counted_over_the_time_since_the_restart() {
        TestAgent agent = harness.agent("failing", "");
        harness.measureAfter(Duration.ofHours(10));
        patch(agent, "{\"expectations\":{\"window_seconds\":7200}}");
        harness.report(agent, 0, 12, 10);
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(harness.health(agent).measurement().observedHours()).isEqualTo(1);
        harness.measureAfter(Duration.ofMinutes(89));
        assertThat(harness.health(agent).measurement().observedHours()).isEqualTo(1.5);
    }

    @Test
    @Tag("AHM-04")
    void outcomes_from_before_the_registration_do_not_lengthen_the_hours_observed() {
        TestAgent agent = harness.agent("late", "");
        Instant registered = harness.now();
        harness.report(agent, 0, 12, 10, registered.minus(Duration.ofHours(30)));
        harness.report(agent, 0, 12, 10, registered.minus(Duration.ofHours(5)));
        harness.measureAfter(Duration.ofHours(2));
        assertThat(harness.health(agent).measurement().counts().executions()).isEqualTo(12);
        assertThat(harness.health(agent).measurement().observedHours()).isEqualTo(2);
    }

    @Test
    @Tag("AHM-04")
    void an_agent_with_outcomes_before_the_window_is_observed_for_the_whole_of_it() {
        TestAgent agent = harness.agent("old", "");
        harness.report(agent, 1, 0, 10);
        harness.measureAfter(Duration.ofHours(30));
        harness.report(agent, 0, 1, 10);
        harness.measureAfter(Duration.ofMinutes(1));
        assertThat(harness.health(agent).measurement().counts().executions()).isEqualTo(1);
        assertThat(harness.health(agent).measurement().observedHours()).isEqualTo(24);
    }

    @Test
    @Tag("AHM-07")
    void a_changed_profile_with_the_same_window_continues_the_measurement() {
        TestAgent agent = harness.agent("same", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 20, 0, 10);
        harness.measureAfter(Duration.ofMinutes(1));
        patch(
                agent,
                """
                {"name":"new","expectations":{"window_seconds":3600,"sla_ms":100}}\
                """);
        harness.measure();
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(20);
        agent.deregister();
        assertThat(agent.register(MeasurementHarness.ONE_HOUR).status()).isEqualTo(201);
        harness.measure();
        assertThat(harness.health(agent).measurement().sampleCount()).isEqualTo(20);
    }

    @Test
    @Tag("AHM-07")
    void a_registration_with_another_window_restarts_the_measurement() {
        TestAgent agent = harness.agent("again", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 20, 0, 10);
        harness.measureAfter(Duration.ofMinutes(1));
        agent.deregister();
        assertThat(agent.register(",\"expectations\":null").status()).isEqualTo(201);
        harness.measure();
        assertThat(harness.health(agent).measurement().sampleCount()).isZero();
    }

    @Test
    @Tag("AHS-09")
    void an_agent_is_measured_over_the_default_window_of_its_registration() {
        TestAgent before = harness.agent("before", "");
        harness.configureDefaultWindow(3_600);
        TestAgent after = harness.agent("after", "");
        harness.configureDefaultWindow(604_800);
        for (TestAgent agent : List.of(before, after)) {
            harness.report(agent, 10, 0, 5);
        }
        harness.measureAfter(Duration.ofMinutes(59));
        assertThat(harness.health(after).measurement().sampleCount()).isEqualTo(10);
        harness.measureAfter(Duration.ofMinutes(3));
        assertThat(harness.health(after).measurement().sampleCount()).isZero();
        assertThat(harness.health(before).measurement().sampleCount()).isEqualTo(10);
        harness.measureAfter(Duration.ofHours(24));
        assertThat(harness.health(before).measurement().sampleCount()).isZero();
    }

    @Test
    @Tag("AHM-01")
    @Tag("AHM-03")
    void the_score_is_computed_from_the_outcomes() {
        TestAgent agent = harness.agent(
                "scored", ",\"expectations\":{\"success_rate\":0.9,\"failures_per_hour\":2,\"runtime_ms\":100}");
        harness.report(agent, 45, 5, 110);
        harness.measure();
        // Reliability: 0.7 * 1 + 0.3 * min(1, 2 / 5) = 0.82; performance: 1 - 0.1 / 0.2 = 0.5; the rest 1.
        assertThat(harness.health(agent).score().points()).isEqualByComparingTo("82.80");
        assertThat(harness.health(agent).score().state()).isEqualTo(ScoreState.DEGRADED);
    }

    @Test
    void a_mark_of_an_unknown_agent_is_removed_by_one_run() {
        new DueStore(harness.system().database()).markDue("unknown");
        assertThat(harness.measure()).containsEntry("unknown", 1L);
        assertThat(harness.measureAfter(Duration.ofDays(1))).containsEntry("unknown", 0L);
        // A report read the agent before its erasure and counted after it.
        new OutcomeStore(harness.system().database())
                .count(
                        new OutcomeBatch(
                                "unknown",
                                OutcomeSource.SELF,
                                "",
                                "b",
                                List.of(new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, 1, harness.now(), false))),
                        Expectations.NONE);
        assertThat(harness.measure()).containsEntry("unknown", 1L);
        assertThat(harness.measureAfter(Duration.ofMinutes(1)).values()).containsOnly(0L);
    }

    @Test
    void an_archived_agent_is_computed_while_its_outcomes_count() {
        TestAgent agent = harness.agent("archived", MeasurementHarness.ONE_HOUR);
        harness.report(agent, 20, 0, 10);
        harness.measure();
        agent.deregister();
        agent.finishCleanUp();
        assertThat(agent.archive()).isTrue();
        Map<String, Object> numbers = harness.measureAfter(Duration.ofMinutes(62));
        assertThat(numbers).containsEntry("computed", 1L).containsEntry("failed", 0L);
        assertThat(harness.health(agent).lifecycle()).isEqualTo(LifecycleStatus.DEREGISTERED);
    }

    private static void patch(TestAgent agent, String body) {
        assertThat(agent.change(body).status()).isEqualTo(200);
    }
}
