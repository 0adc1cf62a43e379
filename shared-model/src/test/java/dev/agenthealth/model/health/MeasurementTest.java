package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectations;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every boundary of the health status (Agent Health State §4.3). */
class MeasurementTest {

    @ParameterizedTest(name = "{0} successes, {1} failures: {2}")
    @CsvSource({
        "10,      0,       HEALTHY",
        // exactly 0.95
        "19,      1,       HEALTHY",
        "95,      5,       HEALTHY",
        "950000,  50000,   HEALTHY",
        // just below 0.95: 18/19, 94/99, 949999/1000000
        "18,      1,       DEGRADED",
        "94,      5,       DEGRADED",
        "949999,  50001,   DEGRADED",
        // where doubles might err: 0.95 of 10^17
        "95000000000000000, 5000000000000000, HEALTHY",
        "94999999999999999, 5000000000000001, DEGRADED",
        // ten samples: 0.9 is as near as it gets
        "9,       1,       DEGRADED",
        // exactly 0.50
        "5,       5,       DEGRADED",
        "500000,  500000,  DEGRADED",
        // just below 0.50
        "5,       6,       UNHEALTHY",
        "499999,  500001,  UNHEALTHY",
        "4,       6,       UNHEALTHY",
        "0,       10,      UNHEALTHY",
        "0,       1000000, UNHEALTHY",
        // fewer than ten samples
        "9,       0,       UNKNOWN",
        "0,       9,       UNKNOWN",
        "5,       4,       UNKNOWN",
        "0,       0,       UNKNOWN"
    })
    @Tag("AHS-03")
    @Tag("AHS-04")
    @Tag("AHS-05")
    @Tag("AHS-06")
    void the_response_ratio_decides_by_whole_numbers(long successes, long failures, HealthStatus status) {
        assertThat(Healths.measured(successes, failures).status(LifecycleStatus.ACTIVE))
                .isEqualTo(status);
    }

    @ParameterizedTest(name = "{0} latencies, {1} of them above three times the baseline: {2}")
    @CsvSource({
        "0,     0,   HEALTHY",
        "1,     0,   HEALTHY",
        "1,     1,   DEGRADED",
        "99,    0,   HEALTHY",
        // below a hundred latencies the 99th percentile is the largest
        "99,    1,   DEGRADED",
        // exactly 1 % is not more than 1 %
        "100,   1,   HEALTHY",
        "100,   2,   DEGRADED",
        "199,   1,   HEALTHY",
        "199,   2,   DEGRADED",
        "200,   2,   HEALTHY",
        "200,   3,   DEGRADED",
        "10000, 100, HEALTHY",
        "10000, 101, DEGRADED"
    })
    @Tag("AHS-04")
    void more_than_one_percent_of_too_high_latencies_degrade(long latencies, long above, HealthStatus status) {
        assertThat(Healths.measured(20_000, 0, latencies, above).status(LifecycleStatus.ACTIVE))
                .isEqualTo(status);
    }

    @Test
    @Tag("AHS-04")
    void latencies_make_nothing_better_than_the_ratio_does() {
        assertThat(Healths.measured(40, 60, 100, 0).status(LifecycleStatus.ACTIVE))
                .isEqualTo(HealthStatus.UNHEALTHY);
        assertThat(Healths.measured(40, 60, 100, 100).status(LifecycleStatus.ACTIVE))
                .isEqualTo(HealthStatus.UNHEALTHY);
        assertThat(Healths.measured(9, 0, 9, 9).status(LifecycleStatus.ACTIVE)).isEqualTo(HealthStatus.UNKNOWN);
    }

    @Test
    @Tag("AHS-04")
    void an_agent_that_declares_no_baseline_any_more_does_not_exceed_it() {
        OutcomeCounts slow = Healths.measured(20, 0, 20, 20).counts();
        assertThat(Healths.measured(Expectations.NONE, slow, 0, 0).status(LifecycleStatus.ACTIVE))
                .isEqualTo(HealthStatus.HEALTHY);
    }

    @ParameterizedTest(name = "{0}, {1} successes, {2} failures: {3}")
    @CsvSource({
        // dead before all else, also with few samples, also with the best
        "DEAD,         0,   0,  UNHEALTHY",
        "DEAD,         9,   0,  UNHEALTHY",
        "DEAD,         100, 0,  UNHEALTHY",
        "DEREGISTERED, 100, 0,  HEALTHY",
        // too few samples before a lifecycle status of unhealthy
        "UNHEALTHY,    0,   0,  UNKNOWN",
        "UNHEALTHY,    9,   0,  UNKNOWN",
        // which is degraded at best, and not better than the ratio
        "UNHEALTHY,    10,  0,  DEGRADED",
        "UNHEALTHY,    100, 0,  DEGRADED",
        "UNHEALTHY,    94,  6,  DEGRADED",
        "UNHEALTHY,    49,  51, UNHEALTHY",
        // everyone else is what the outcomes say
        "ACTIVE,       100, 0,  HEALTHY",
        "DRAINING,     100, 0,  HEALTHY",
        "DRAINING,     94,  6,  DEGRADED",
        "REGISTERING,  0,   0,  UNKNOWN"
    })
    @Tag("AHS-03")
    @Tag("AHS-04")
    @Tag("AHS-05")
    @Tag("AHS-06")
    void the_lifecycle_status_decides_first_when_dead_and_caps_when_unhealthy(
            LifecycleStatus lifecycle, long successes, long failures, HealthStatus status) {
        assertThat(Healths.measured(successes, failures).status(lifecycle)).isEqualTo(status);
    }

    @Test
    @Tag("AHS-08")
    void ratios_are_shares_of_all_executions_from_all_reporters() {
        OutcomeCounts counts = OutcomeCounts.of(
                Map.of(
                        OutcomeCounter.GATEWAY_SUCCESSES, 1L,
                        OutcomeCounter.COORDINATOR_SUCCESSES, 2L,
                        OutcomeCounter.SELF_SUCCESSES, 3L,
                        OutcomeCounter.GATEWAY_FAILURES, 1L,
                        OutcomeCounter.SELF_FAILURES, 1L,
                        OutcomeCounter.TRIGGER_FAILURES, 99L),
                LatencyHistogram.EMPTY);
        Measurement measurement = Healths.measured(Expectations.NONE, counts, 0, 0);
        assertThat(measurement.sampleCount()).isEqualTo(8);
        assertThat(measurement.responseRatio()).isEqualTo(0.75);
        assertThat(measurement.errorRatio()).isEqualTo(0.25);
    }

    @Test
    @Tag("AHS-08")
    void without_samples_ratios_are_zero() {
        Measurement nothing = Healths.measured(0, 0);
        assertThat(nothing.sampleCount()).isZero();
        assertThat(nothing.responseRatio()).isZero();
        assertThat(nothing.errorRatio()).isZero();
        assertThat(nothing.trend()).isEqualTo(CalibrationTrend.STABLE);
    }

    @Test
    @Tag("AHS-10")
    void the_trend_compares_with_the_window_before() {
        OutcomeCounts half = Healths.measured(50, 50).counts();
        assertThat(Healths.measured(Expectations.NONE, half, 61, 100).trend()).isEqualTo(CalibrationTrend.DECLINING);
        assertThat(Healths.measured(Expectations.NONE, half, 60, 100).trend()).isEqualTo(CalibrationTrend.STABLE);
        assertThat(Healths.measured(Expectations.NONE, half, 39, 100).trend()).isEqualTo(CalibrationTrend.IMPROVING);
    }

    @Test
    @Tag("AHM-03")
    void failures_are_counted_over_the_hours_observed() {
        Measurement measurement = Healths.measured(952, 48);
        assertThat(measurement.score().reliability().actualFailuresPerHour()).isEqualTo(2);
        assertThat(measurement.score().points()).isEqualTo("94.00");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 0.999, Double.NaN})
    void less_than_an_hour_is_never_observed(double hours) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Measurement(Expectations.NONE, OutcomeCounts.NONE, 0, 0, 0, 0, hours));
    }

    @ParameterizedTest
    @EnumSource
    void a_status_is_found_by_its_wire_name(HealthStatus status) {
        assertThat(WireNamed.find(HealthStatus.class, status.wireName())).contains(status);
        assertThat(status.wireName()).matches("[a-z]+");
        assertThat(WireNamed.find(HealthStatus.class, status.name())).isEmpty();
    }

    @Test
    @Tag("AHS-09")
    void latencies_are_shown_with_the_two_digits_that_their_buckets_have() {
        Map<Double, Double> shown = Map.of(30_000.0, 30_000.0, 1_234.0, 1_200.0, 12.0, 12.0, 0.0, 0.0);
        shown.forEach((latency, expected) -> {
            Outcome outcome = new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, latency, Healths.T0, false);
            OutcomeCounts counts = OutcomeCounts.of(outcome, OutcomeSource.SELF, Expectations.NONE);
            Measurement measurement = HealthRule.measurement(
                    Expectations.NONE, counts, OutcomeCounts.NONE, Healths.T0, Healths.T0.plusSeconds(60));
            assertThat(measurement.latencyP50Ms()).as("of %s ms", latency).isEqualTo(expected);
            assertThat(measurement.latencyP99Ms()).isEqualTo(expected);
        });
    }
}
