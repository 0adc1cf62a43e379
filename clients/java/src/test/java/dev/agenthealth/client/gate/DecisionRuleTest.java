package dev.agenthealth.client.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Decisions by valid documents. */
@Tag("AHS-17")
class DecisionRuleTest {

    private static final Instant UNTIL = Instant.parse("2026-02-08T10:05:00Z");

    private static Decision decide(String changes) {
        return decide(changes, Optional.empty());
    }

    private static Decision decide(String changes, Optional<HealthStatus> before) {
        HealthState health = HealthStateReader.read(Documents.with(changes).getBytes(StandardCharsets.UTF_8))
                .orElseThrow();
        return new DecisionRule(DecisionRule.HEALTHY_RATIO).decide(health, before, UNTIL);
    }

    @Test
    void a_healthy_agent_is_called_and_not_called_trustworthy() {
        Decision decision = decide("{}");

        assertThat(decision).isInstanceOf(Decision.Proceed.class);
        assertThat(decision.mayCall()).isTrue();
        assertThat(decision.reasons()).isEmpty();
        assertThat(decision.explanation()).isEqualTo("operational by its own report, which is no proof of trust");
    }

    @Test
    void a_degraded_agent_is_called_with_caution_and_shorter_time_outs() {
        Decision decision = decide("{'health':{'status':'degraded'},'calibration':{'response_ratio':0.8}}");

        assertThat(decision).isInstanceOfSatisfying(Decision.ProceedWithCaution.class, caution -> {
            assertThat(caution.reasons()).containsExactly(Reason.DEGRADED, Reason.LOW_RESPONSE_RATIO);
            assertThat(caution.connectTimeout()).isEqualTo(Duration.ofSeconds(2));
            assertThat(caution.requestTimeout()).isEqualTo(Duration.ofMillis(2_501));
            assertThat(caution.explanation())
                    .isEqualTo("degraded, few requests succeed; a time-out of 2.5 s is suggested");
        });
        assertThat(decision.mayCall()).isTrue();
    }

    @Test
    void an_unhealthy_agent_is_avoided_until_its_document_is_read_again() {
        Decision decision = decide("{'health':{'status':'unhealthy'}}");

        assertThat(decision).isInstanceOfSatisfying(Decision.Avoid.class, avoid -> {
            assertThat(avoid.until()).isEqualTo(UNTIL);
            assertThat(avoid.health().lastHealthyAt()).contains(Instant.parse("2026-02-08T09:00:00Z"));
            assertThat(avoid.explanation())
                    .isEqualTo("unhealthy, last healthy at 2026-02-08T09:00:00Z: avoid until 2026-02-08T10:05:00Z");
        });
        assertThat(decision.mayCall()).isFalse();
    }

    @Test
    void an_agent_that_does_not_know_its_health_is_called_as_usual() {
        Decision decision = decide("{'health':{'status':'unknown'},'calibration':{'sample_count':3}}");

        assertThat(decision).isInstanceOf(Decision.Default.class);
        assertThat(decision.mayCall()).isTrue();
        assertThat(decision.document()).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "declining, 0,    DECLINING_AFTER_MODEL_CHANGE",
        "declining, 7,    DECLINING_AFTER_MODEL_CHANGE",
        "declining, 8,    DECLINING",
        "declining, null, DECLINING",
        "stable,    0,",
        "improving, 0,"
    })
    void a_declining_trend_with_a_recent_model_change_is_a_strong_sign_of_decay(
            String trend, String days, Reason reason) {
        String decay = "'decay':{'calibration_trend':'" + trend + "','days_since_model_change':" + days + "}";

        Decision degraded = decide("{'health':{'status':'degraded'}," + decay + "}");
        Decision healthy = decide("{" + decay + "}");

        assertThat(degraded.reasons().stream().filter(r -> r != Reason.DEGRADED))
                .isEqualTo(Optional.ofNullable(reason).stream().toList());
        assertThat(healthy.reasons())
                .isEqualTo(Optional.ofNullable(reason).stream().toList());
        assertThat(healthy).isInstanceOf(Decision.Proceed.class);
    }

    @ParameterizedTest
    @CsvSource({"degraded, 599, true", "degraded, 600, false", "healthy, 5, false", "unhealthy, 5, false"})
    void a_degraded_agent_that_just_started_may_be_in_a_crash_loop(String status, long uptime, boolean named) {
        Decision decision = decide("{'health':{'status':'" + status + "','uptime_seconds':" + uptime + "}}");

        assertThat(decision.reasons().contains(Reason.POSSIBLE_CRASH_LOOP)).isEqualTo(named);
    }

    @Test
    void an_agent_that_calls_itself_healthy_against_its_own_figures_is_called_with_caution() {
        assertThat(decide("{'calibration':{'response_ratio':0.94}}"))
                .isInstanceOfSatisfying(Decision.ProceedWithCaution.class, caution -> assertThat(caution.reasons())
                        .containsExactly(Reason.LOW_RESPONSE_RATIO));
    }

    @Test
    void figures_of_few_samples_are_of_low_confidence_and_decide_nothing() {
        assertThat(decide("{'calibration':{'response_ratio':0.5,'sample_count':9}}"))
                .isInstanceOfSatisfying(Decision.Proceed.class, proceed -> assertThat(proceed.reasons())
                        .containsExactly(Reason.LOW_CONFIDENCE));
        assertThat(decide("{'health':{'status':'degraded'},'calibration':{'sample_count':9}}"))
                .isInstanceOfSatisfying(
                        Decision.ProceedWithCaution.class,
                        caution -> assertThat(caution.requestTimeout()).isEqualTo(Duration.ofSeconds(10)));
    }

    @ParameterizedTest
    @CsvSource({"0, 1000", "999, 1000", "5000, 5000", "60000, 30000", "1e300, 30000"})
    void the_suggested_time_out_is_the_99th_percentile_within_1_and_30_seconds(String p99, long millis) {
        Decision decision = decide("{'health':{'status':'degraded'},'calibration':{'latency_p99_ms':" + p99 + "}}");

        assertThat(((Decision.ProceedWithCaution) decision).requestTimeout()).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @EnumSource(HealthStatus.class)
    void an_agent_that_was_healthy_before_is_to_be_verified_again(HealthStatus before) {
        Decision decision = decide("{'health':{'status':'degraded'}}", Optional.of(before));

        assertThat(decision.reasons().contains(Reason.NO_LONGER_HEALTHY)).isEqualTo(before == HealthStatus.HEALTHY);
    }

    @Test
    void the_coarse_document_of_a_personal_agent_is_enough() {
        HealthState coarse = HealthStateReader.read(
                        """
                                {"schema_version":"0.1.0","agent_id":"a","timestamp":"2026-02-08T10:00:00Z",\
                                "health":{"status":"healthy"}}\
                                """
                                .getBytes(StandardCharsets.UTF_8))
                .orElseThrow();

        assertThat(new DecisionRule(1).decide(coarse, Optional.empty(), UNTIL))
                .isEqualTo(new Decision.Proceed(coarse, List.of()));
    }
}
