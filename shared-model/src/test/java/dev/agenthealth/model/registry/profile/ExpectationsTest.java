package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.usage.OnExceeded;
import dev.agenthealth.model.registry.usage.UsageLimit;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("AHM-09")
class ExpectationsTest {

    private static final int REVISION_OF_NONE = 1_945_020_493;

    @Test
    @Tag("AHS-09")
    void what_is_not_declared_has_a_default_or_is_not_expected() {
        Expectations none = Expectations.NONE;
        assertThat(none.successRate()).isEqualTo(0.95);
        assertThat(none.failuresPerHour()).isEqualTo(1);
        assertThat(none.runtimeMs()).isEmpty();
        assertThat(none.longRunningMs()).isEmpty();
        assertThat(none.deviationAllowed()).isEqualTo(0.2);
        assertThat(none.fullConfidenceExecutions()).isEqualTo(20);
        assertThat(none.longRunningThreshold()).isEqualTo(15);
        assertThat(none.slaBreachThreshold()).isEqualTo(5);
        assertThat(none.triggerFailureThreshold()).isEqualTo(5);
        assertThat(none.baselineLatencyMs()).isEmpty();
        assertThat(none.latencyLimitMs()).isEmpty();
        assertThat(none.slaMs()).isEmpty();
        assertThat(none.window().length()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    void the_revision_differs_where_executions_are_judged_differently_and_is_the_same_on_every_machine() {
        Set<Integer> revisions = new HashSet<>(Set.of(Expectations.NONE.revision()));
        for (Expectation limit : List.of(Expectation.RUNTIME_MS, Expectation.BASELINE_LATENCY_MS, Expectation.SLA_MS)) {
            for (double value : new double[] {1, 100, 100.5, 200}) {
                assertThat(revisions.add(new Expectations(Map.of(limit, value)).revision()))
                        .isTrue();
            }
        }
        Expectations others = new Expectations(Map.of(Expectation.WINDOW_SECONDS, 300d, Expectation.SUCCESS_RATE, 0.5));
        assertThat(others.revision()).isEqualTo(Expectations.NONE.revision()).isEqualTo(REVISION_OF_NONE);
    }

    @Test
    @Tag("AHS-09")
    void everything_may_be_declared() {
        Expectations declared = new Expectations(Map.ofEntries(
                Map.entry(Expectation.SUCCESS_RATE, 0.5),
                Map.entry(Expectation.FAILURES_PER_HOUR, 2.5),
                Map.entry(Expectation.RUNTIME_MS, 1_500.5),
                Map.entry(Expectation.DEVIATION_ALLOWED, 0.35),
                Map.entry(Expectation.FULL_CONFIDENCE_EXECUTIONS, 50d),
                Map.entry(Expectation.LONG_RUNNING_THRESHOLD, 3d),
                Map.entry(Expectation.SLA_BREACH_THRESHOLD, 8d),
                Map.entry(Expectation.TRIGGER_FAILURE_THRESHOLD, 9d),
                Map.entry(Expectation.BASELINE_LATENCY_MS, 250d),
                Map.entry(Expectation.SLA_MS, 5_000d),
                Map.entry(Expectation.WINDOW_SECONDS, 3_600d),
                Map.entry(Expectation.MIN_QUALITY, 0.8),
                Map.entry(Expectation.TOKENS_PER_HOUR, 1d),
                Map.entry(Expectation.TOKENS_PER_DAY, 1_000_000_000_000d),
                Map.entry(Expectation.TOKENS_PER_EXECUTION, 3d),
                Map.entry(Expectation.MODEL_CALLS_PER_EXECUTION, 4d),
                Map.entry(Expectation.EXECUTIONS_PER_HOUR, 5d),
                Map.entry(Expectation.COUNT_CACHED, 1d),
                Map.entry(Expectation.ON_EXCEEDED, 2d)));
        assertThat(declared.limits().numbers())
                .isEqualTo(Map.of(
                        UsageLimit.TOKENS_PER_HOUR, 1L,
                        UsageLimit.TOKENS_PER_DAY, 1_000_000_000_000L,
                        UsageLimit.TOKENS_PER_EXECUTION, 3L,
                        UsageLimit.MODEL_CALLS_PER_EXECUTION, 4L,
                        UsageLimit.EXECUTIONS_PER_HOUR, 5L));
        assertThat(declared.limits().countCached()).isTrue();
        assertThat(declared.limits().onExceeded()).isEqualTo(OnExceeded.BLOCK);
        assertThat(declared.declared()).hasSameSizeAs(Expectation.values());
        assertThat(declared.successRate()).isEqualTo(0.5);
        assertThat(declared.failuresPerHour()).isEqualTo(2.5);
        assertThat(declared.runtimeMs()).hasValue(1_500.5);
        assertThat(declared.longRunningMs()).hasValue(7_502.5);
        assertThat(declared.deviationAllowed()).isEqualTo(0.35);
        assertThat(declared.fullConfidenceExecutions()).isEqualTo(50);
        assertThat(declared.longRunningThreshold()).isEqualTo(3);
        assertThat(declared.slaBreachThreshold()).isEqualTo(8);
        assertThat(declared.triggerFailureThreshold()).isEqualTo(9);
        assertThat(declared.baselineLatencyMs()).hasValue(250);
        assertThat(declared.latencyLimitMs()).hasValue(750);
        assertThat(declared.slaMs()).hasValue(5_000);
        assertThat(declared.window().length()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void one_declared_number_leaves_the_defaults_of_all_others() {
        Expectations declared = new Expectations(Map.of(Expectation.LONG_RUNNING_THRESHOLD, 1d));
        assertThat(declared.longRunningThreshold()).isEqualTo(1);
        assertThat(declared.slaBreachThreshold()).isEqualTo(5);
        assertThat(declared.successRate()).isEqualTo(0.95);
        assertThat(declared.runtimeMs()).isEmpty();
    }

    @Test
    void zero_is_a_number_that_may_be_declared_and_has_no_sign() {
        Expectations zero =
                new Expectations(Map.of(Expectation.SUCCESS_RATE, -0.0, Expectation.FAILURES_PER_HOUR, -0.0));
        assertThat(Double.compare(zero.successRate(), 0.0)).isZero();
        assertThat(Double.compare(zero.failuresPerHour(), 0.0)).isZero();
    }

    @ParameterizedTest(name = "{0} ms: long-running above {1} ms, too slow above {2} ms")
    @CsvSource({
        "100,        500,         300",
        "0.5,        2.5,         1.5",
        // products of doubles would be 2.0999999999999996, 3.3000000000000003, 0.35000000000000003
        "0.7,        3.5,         2.1",
        "1.1,        5.5,         3.3",
        "0.07,       0.35,        0.21",
        "86400000,   432000000,   259200000",
        "0.000001,   0.000005,    0.000003"
    })
    @Tag("AHS-04")
    @Tag("AHM-05")
    void limits_are_exact_multiples_of_what_is_declared(double declared, double longRunning, double limit) {
        Expectations expected =
                new Expectations(Map.of(Expectation.RUNTIME_MS, declared, Expectation.BASELINE_LATENCY_MS, declared));
        assertThat(expected.longRunningMs()).hasValue(longRunning);
        assertThat(expected.latencyLimitMs()).hasValue(limit);
    }

    @Test
    void they_do_not_change_with_the_map_they_were_made_of() {
        Map<Expectation, Double> map = new EnumMap<>(Expectation.class);
        map.put(Expectation.SUCCESS_RATE, 0.5);
        Expectations declared = new Expectations(map);
        map.put(Expectation.SUCCESS_RATE, 0.9);
        assertThat(declared.successRate()).isEqualTo(0.5);
    }
}
