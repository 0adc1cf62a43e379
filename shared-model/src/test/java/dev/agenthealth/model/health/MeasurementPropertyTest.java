package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class MeasurementPropertyTest {

    private static final double LIMIT = 2.1;
    private static final Expectations BASELINE = new Expectations(Map.of(Expectation.BASELINE_LATENCY_MS, 0.7));

    /** On both sides of the limit, near and far, in shares around 1 %. */
    @Provide
    Arbitrary<List<Double>> latencies() {
        Arbitrary<Double> below = Arbitraries.oneOf(
                Arbitraries.of(0d, LIMIT, Math.nextDown(LIMIT)),
                Arbitraries.doubles().between(0, 2));
        Arbitrary<Double> above = Arbitraries.oneOf(
                Arbitraries.just(Math.nextUp(LIMIT)), Arbitraries.doubles().between(2.2, 1e6));
        return Arbitraries.of(0, 1, 2, 3, 50).flatMap(share -> Arbitraries.integers()
                .between(0, 99)
                .flatMap(number -> number < share ? above : below)
                .list()
                .ofMinSize(1)
                .ofMaxSize(420));
    }

    @Property
    @Tag("AHS-04")
    @Tag("AHS-08")
    void too_slow_is_exactly_when_the_99th_percentile_of_all_latencies_is_above_three_times_the_baseline(
            @ForAll("latencies") List<Double> latencies, @ForAll @IntRange(max = 200) int withoutLatency) {
        OutcomeCounts counts = latencies.stream()
                .map(MeasurementPropertyTest::counted)
                .reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        for (int i = 0; i < withoutLatency + Measurement.MIN_SAMPLES; i++) {
            counts = counts.plus(counted(Outcome.NO_LATENCY));
        }
        double exact = latencies.stream()
                .sorted()
                .skip((latencies.size() * 99 + 99) / 100 - 1)
                .findFirst()
                .orElseThrow();
        assertThat(Healths.measured(BASELINE, counts, 0, 0).status(LifecycleStatus.ACTIVE))
                .isEqualTo(exact > LIMIT ? HealthStatus.DEGRADED : HealthStatus.HEALTHY);
        Measurement shown = HealthRule.measurement(BASELINE, counts, OutcomeCounts.NONE, Healths.T0, Healths.T0);
        BigDecimal p99 = BigDecimal.valueOf(shown.latencyP99Ms()).setScale(3, RoundingMode.HALF_UP);
        assertThat(p99.compareTo(BigDecimal.valueOf(LIMIT)) > 0)
                .as("what is shown is above the limit where the status says so: %s", p99)
                .isEqualTo(exact > LIMIT);
        assertThat(shown.latencyP50Ms()).isLessThanOrEqualTo(shown.latencyP99Ms());
    }

    private static OutcomeCounts counted(double latencyMs) {
        Outcome outcome = new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, latencyMs, Healths.T0, false);
        return OutcomeCounts.of(outcome, OutcomeSource.SELF, BASELINE);
    }

    @Property
    @Tag("AHS-03")
    @Tag("AHS-04")
    @Tag("AHS-05")
    @Tag("AHS-06")
    void the_status_is_what_the_exact_ratio_says(
            @ForAll @LongRange(max = 2_000_000) long successes, @ForAll @LongRange(max = 2_000_000) long failures) {
        HealthStatus status = Healths.measured(successes, failures).status(LifecycleStatus.ACTIVE);
        BigDecimal samples = BigDecimal.valueOf(successes + failures);
        BigDecimal good = BigDecimal.valueOf(successes);
        if (successes + failures < 10) {
            assertThat(status).isEqualTo(HealthStatus.UNKNOWN);
        } else if (good.compareTo(samples.multiply(new BigDecimal("0.95"))) >= 0) {
            assertThat(status).isEqualTo(HealthStatus.HEALTHY);
        } else if (good.compareTo(samples.multiply(new BigDecimal("0.50"))) >= 0) {
            assertThat(status).isEqualTo(HealthStatus.DEGRADED);
        } else {
            assertThat(status).isEqualTo(HealthStatus.UNHEALTHY);
        }
    }

    @Property
    @Tag("AHS-08")
    void ratios_are_between_nothing_and_all_and_add_up(
            @ForAll @LongRange(max = 1_000_000) long successes, @ForAll @LongRange(max = 1_000_000) long failures) {
        Measurement measurement = Healths.measured(successes, failures);
        assertThat(measurement.responseRatio()).isBetween(0d, 1d);
        assertThat(measurement.errorRatio()).isBetween(0d, 1d);
        double sum = measurement.responseRatio() + measurement.errorRatio();
        assertThat(sum).isBetween(successes + failures == 0 ? 0 : 1 - 1e-15, 1 + 1e-15);
    }

    @Property
    void an_agent_without_outcomes_is_never_healthy_and_unhealthy_only_when_it_is_gone(
            @ForAll LifecycleStatus lifecycle) {
        HealthStatus status = Healths.measured(0, 0).status(lifecycle);
        assertThat(status).isEqualTo(lifecycle == LifecycleStatus.DEAD ? HealthStatus.UNHEALTHY : HealthStatus.UNKNOWN);
    }
}
