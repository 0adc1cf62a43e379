package dev.agenthealth.model.health.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;

/** What holds of the score whatever happened and whatever is expected. */
@Tag("AHM-01")
class HealthScorePropertyTest {

    private static final List<Expectation> LOOSER_BY_FALLING = List.of(Expectation.SUCCESS_RATE);

    /** What happened in a window. */
    record Window(
            long successes,
            long failures,
            boolean timed,
            long meanMicros,
            long longRunning,
            long slaBreaches,
            long triggerFailures,
            double hours) {

        OutcomeCounts counts() {
            Map<OutcomeCounter, Long> counters = new EnumMap<>(OutcomeCounter.class);
            counters.put(OutcomeCounter.SELF_SUCCESSES, successes);
            counters.put(OutcomeCounter.GATEWAY_FAILURES, failures);
            counters.put(OutcomeCounter.LONG_RUNNING, longRunning);
            counters.put(OutcomeCounter.SLA_BREACHES, slaBreaches);
            counters.put(OutcomeCounter.TRIGGER_FAILURES, triggerFailures);
            if (timed) {
                counters.put(OutcomeCounter.LATENCIES, successes + failures);
                counters.put(OutcomeCounter.LATENCY_MICROS, meanMicros * (successes + failures));
            }
            return OutcomeCounts.of(counters, LatencyHistogram.EMPTY);
        }

        HealthScore score(Expectations expected) {
            return HealthScore.of(expected, counts(), hours);
        }

        Window with(long moreSuccesses, long moreFailures) {
            return new Window(
                    successes + moreSuccesses,
                    failures + moreFailures,
                    timed,
                    meanMicros,
                    longRunning,
                    slaBreaches,
                    triggerFailures,
                    hours);
        }

        Window with(long slowerMicros, long moreLongRunning, long moreBreaches, long moreTriggerFailures) {
            return new Window(
                    successes,
                    failures,
                    timed,
                    meanMicros + slowerMicros,
                    longRunning + moreLongRunning,
                    slaBreaches + moreBreaches,
                    triggerFailures + moreTriggerFailures,
                    hours);
        }
    }

    @Provide
    Arbitrary<Window> windows() {
        Arbitrary<Long> executions = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 30), Arbitraries.longs().between(0, 1_000_000));
        Arbitrary<Long> few = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 20), Arbitraries.longs().between(0, 2_000_000));
        Arbitrary<Long> micros = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 5_000), Arbitraries.longs().between(0, 2_592_000_000L));
        Arbitrary<Double> hours = Arbitraries.oneOf(
                Arbitraries.of(1d, 24d, 168d),
                Arbitraries.doubles().between(1, 168).ofScale(9));
        return Combinators.combine(executions, executions, Arbitraries.of(true, false), micros, few, few, few, hours)
                .as(Window::new);
    }

    @Provide
    Arbitrary<Expectations> expectations() {
        return Combinators.combine(
                        declared(Expectation.SUCCESS_RATE),
                        declared(Expectation.FAILURES_PER_HOUR),
                        declared(Expectation.RUNTIME_MS),
                        declared(Expectation.DEVIATION_ALLOWED),
                        declared(Expectation.FULL_CONFIDENCE_EXECUTIONS),
                        declared(Expectation.LONG_RUNNING_THRESHOLD),
                        declared(Expectation.SLA_BREACH_THRESHOLD),
                        declared(Expectation.TRIGGER_FAILURE_THRESHOLD))
                .as((a, b, c, d, e, f, g, h) -> {
                    Map<Expectation, Double> all = new HashMap<>();
                    List.of(a, b, c, d, e, f, g, h).forEach(all::putAll);
                    return new Expectations(all);
                });
    }

    /** A number, or none, for one expectation: usual ones and the extremes it accepts. */
    private static Arbitrary<Map<Expectation, Double>> declared(Expectation expectation) {
        Arbitrary<Double> numbers =
                switch (expectation) {
                    case SUCCESS_RATE ->
                        Arbitraries.oneOf(
                                Arbitraries.of(0d, -0d, Double.MIN_VALUE, 0.5, 0.95, 1d),
                                Arbitraries.doubles().between(0, 1).ofScale(9));
                    case FAILURES_PER_HOUR ->
                        Arbitraries.oneOf(
                                Arbitraries.of(0d, -0d, Double.MIN_VALUE, 1d, 1_000_000d),
                                Arbitraries.doubles().between(0, 100).ofScale(9));
                    case RUNTIME_MS ->
                        Arbitraries.oneOf(
                                Arbitraries.of(Double.MIN_VALUE, 1d, 1_000d, 2_592_000_000d),
                                Arbitraries.doubles().between(0.001, 10_000).ofScale(9));
                    case DEVIATION_ALLOWED ->
                        Arbitraries.oneOf(
                                Arbitraries.of(Double.MIN_VALUE, 0.2, 1d, 1_000d),
                                Arbitraries.doubles().between(0.001, 5).ofScale(9));
                    default ->
                        Arbitraries.oneOf(
                                Arbitraries.of(1d, 2d, 15d, 20d, 1_000_000d),
                                Arbitraries.integers().between(1, 100).map(Integer::doubleValue));
                };
        return Arbitraries.oneOf(Arbitraries.just(Map.of()), numbers.map(number -> Map.of(expectation, number)));
    }

    @Property
    void every_score_is_between_nothing_and_all(
            @ForAll("windows") Window window, @ForAll("expectations") Expectations expected) {
        HealthScore score = window.score(expected);
        assertThat(DoubleStream.of(
                                score.reliability().successScore(),
                                score.reliability().failureScore(),
                                score.reliability().confidence(),
                                score.reliability().score(),
                                score.performance().score(),
                                score.stability().score(),
                                score.operational().slaScore(),
                                score.operational().triggerScore(),
                                score.operational().score())
                        .boxed())
                .allSatisfy(part -> assertThat(part).isBetween(0d, 1d));
        assertThat(score.points()).isBetween(BigDecimal.ZERO, BigDecimal.valueOf(100));
        assertThat(score.points().scale()).isEqualTo(2);
    }

    @Property
    @Tag("AHM-02")
    void the_state_follows_from_the_points_that_are_shown(
            @ForAll("windows") Window window, @ForAll("expectations") Expectations expected) {
        HealthScore score = window.score(expected);
        double shown = score.points().doubleValue();
        ScoreState state = shown >= 85 ? ScoreState.HEALTHY : shown >= 65 ? ScoreState.DEGRADED : ScoreState.UNHEALTHY;
        boolean executed = window.successes() + window.failures() > 0;
        assertThat(score.state()).isEqualTo(executed ? state : ScoreState.INACTIVE);
    }

    @Property
    @Tag("AHM-03")
    void a_success_more_never_lowers_the_score_of_what_is_fully_believed(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 1, max = 1_000) long more) {
        Window believed = window.with(expected.fullConfidenceExecutions(), 0);
        assertNotLower(believed.with(more, 0).score(expected), believed.score(expected));
    }

    /** Below full confidence more is believed of the failures with every execution, so only what is believed is better. */
    @Property
    @Tag("AHM-03")
    void a_success_more_never_makes_what_was_seen_look_worse(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 1, max = 1_000) long more) {
        ReliabilityScore before = window.score(expected).reliability();
        ReliabilityScore after = window.with(more, 0).score(expected).reliability();
        assertThat(after.successScore()).isGreaterThanOrEqualTo(before.successScore());
        assertThat(after.failureScore()).isEqualTo(before.failureScore());
        assertThat(after.confidence()).isGreaterThanOrEqualTo(before.confidence());
    }

    @Property
    @Tag("AHM-03")
    void a_success_more_never_lowers_the_score_while_failures_are_within_the_bounds(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 1, max = 1_000) long more) {
        double bound = expected.failuresPerHour() * window.hours();
        Window within = window.with(0, Math.min(0, (long) Math.floor(bound) - window.failures()));
        // The two are often equal, which doubles miss by their last digit.
        double before = within.score(expected).reliability().score();
        double after = within.with(more, 0).score(expected).reliability().score();
        assertThat(after).isGreaterThan(before - 1e-12);
    }

    @Property
    @Tag("AHM-03")
    void a_failure_more_never_raises_the_score(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 1, max = 1_000) long more) {
        assertNotLower(window.score(expected), window.with(0, more).score(expected));
    }

    @Property
    @Tag("AHM-03")
    void an_execution_that_succeeds_instead_of_failing_never_lowers_the_score(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 1) double share) {
        long turned = Math.round(window.failures() * share);
        assertNotLower(window.with(turned, -turned).score(expected), window.score(expected));
    }

    @Property
    @Tag("AHM-04")
    void a_longer_mean_runtime_never_raises_the_score(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 1, max = 10_000_000) long slowerMicros) {
        assertNotLower(
                window.score(expected), window.with(slowerMicros, 0, 0, 0).score(expected));
    }

    @Property
    @Tag("AHM-05")
    void a_long_running_execution_more_never_raises_the_score(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 1, max = 100) long more) {
        assertNotLower(window.score(expected), window.with(0, more, 0, 0).score(expected));
    }

    @Property
    @Tag("AHM-06")
    void an_sla_breach_or_a_trigger_failure_more_never_raises_the_score(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll @LongRange(min = 0, max = 100) long breaches,
            @ForAll @LongRange(min = 0, max = 100) long triggerFailures) {
        assertNotLower(
                window.score(expected),
                window.with(0, 0, breaches, triggerFailures).score(expected));
    }

    /** To declare no runtime is the loosest of all. */
    @Property
    @Tag("AHM-09")
    void to_expect_less_never_lowers_the_score(
            @ForAll("windows") Window window,
            @ForAll("expectations") Expectations expected,
            @ForAll("expectations") Expectations other) {
        for (Expectation expectation : Expectation.values()) {
            Double number = other.declared().get(expectation);
            if (number == null && expectation != Expectation.RUNTIME_MS) {
                continue;
            }
            HealthScore here = window.score(expected);
            HealthScore there = window.score(with(expected, expectation, number));
            if (isLooser(expected, expectation, number)) {
                assertNotLower(there, here);
            } else {
                assertNotLower(here, there);
            }
        }
    }

    private static boolean isLooser(Expectations expected, Expectation expectation, Double number) {
        if (number == null) {
            return true;
        }
        double before =
                switch (expectation) {
                    case SUCCESS_RATE -> expected.successRate();
                    case FAILURES_PER_HOUR -> expected.failuresPerHour();
                    case RUNTIME_MS -> expected.runtimeMs().orElse(Double.POSITIVE_INFINITY);
                    case DEVIATION_ALLOWED -> expected.deviationAllowed();
                    case FULL_CONFIDENCE_EXECUTIONS -> expected.fullConfidenceExecutions();
                    case LONG_RUNNING_THRESHOLD -> expected.longRunningThreshold();
                    case SLA_BREACH_THRESHOLD -> expected.slaBreachThreshold();
                    case TRIGGER_FAILURE_THRESHOLD -> expected.triggerFailureThreshold();
                    case BASELINE_LATENCY_MS,
                            SLA_MS,
                            WINDOW_SECONDS,
                            MIN_QUALITY,
                            TOKENS_PER_HOUR,
                            TOKENS_PER_DAY,
                            TOKENS_PER_EXECUTION,
                            MODEL_CALLS_PER_EXECUTION,
                            EXECUTIONS_PER_HOUR,
                            COUNT_CACHED,
                            ON_EXCEEDED -> number;
                };
        return LOOSER_BY_FALLING.contains(expectation) ? number <= before : number >= before;
    }

    private static Expectations with(Expectations expected, Expectation expectation, Double number) {
        Map<Expectation, Double> declared = new HashMap<>(expected.declared());
        declared.remove(expectation);
        if (number != null) {
            declared.put(expectation, number);
        }
        return new Expectations(declared);
    }

    @Property
    @Tag("AHM-03")
    void low_volume_never_looks_worse_than_the_same_rates_at_full_volume(
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 1) double expectedRate,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 1) double actualRate,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 100) double expectedFailures,
            @ForAll @Scale(9) @DoubleRange(min = 0, max = 100) double actualFailures,
            @ForAll @IntRange(min = 1, max = 1_000) int fullConfidence,
            @ForAll @IntRange(min = 0, max = 1_000) int executions) {
        double believed = new ReliabilityScore(
                        expectedRate, actualRate, expectedFailures, actualFailures, fullConfidence, fullConfidence)
                .score();
        double seen = new ReliabilityScore(
                        expectedRate, actualRate, expectedFailures, actualFailures, executions, fullConfidence)
                .score();
        double oneMore = new ReliabilityScore(
                        expectedRate, actualRate, expectedFailures, actualFailures, executions + 1L, fullConfidence)
                .score();
        assertThat(seen).isBetween(believed, 1d);
        assertThat(oneMore).isLessThanOrEqualTo(seen);
    }

    @Property
    @Tag("AHM-03")
    void without_executions_reliability_is_neutral(@ForAll("expectations") Expectations expected) {
        assertThat(HealthScore.of(expected, OutcomeCounts.NONE, 1).reliability().score())
                .isEqualTo(1);
        assertThat(HealthScore.of(expected, OutcomeCounts.NONE, 1).points()).isEqualTo("100.00");
    }

    private static void assertNotLower(HealthScore higher, HealthScore lower) {
        assertThat(higher.reliability().score())
                .isGreaterThanOrEqualTo(lower.reliability().score());
        assertThat(higher.performance().score())
                .isGreaterThanOrEqualTo(lower.performance().score());
        assertThat(higher.stability().score())
                .isGreaterThanOrEqualTo(lower.stability().score());
        assertThat(higher.operational().score())
                .isGreaterThanOrEqualTo(lower.operational().score());
        assertThat(higher.points()).isGreaterThanOrEqualTo(lower.points());
    }
}
