package dev.agenthealth.model.health.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.LatencyHistogram;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The score against numbers worked out by hand. */
@Tag("AHM-01")
@Tag("AHM-02")
class HealthScoreTest {

    private static final double ROUNDED = 5.1e-10;
    private static final Expectations RUNTIME_100 = new Expectations(Map.of(Expectation.RUNTIME_MS, 100d));

    static Stream<ScoreCase> cases() {
        return ScoreCase.all().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    @Tag("AHM-03")
    @Tag("AHM-04")
    @Tag("AHM-05")
    @Tag("AHM-06")
    @Tag("AHM-08")
    @Tag("AHM-09")
    void the_score_is_what_the_formulas_say(ScoreCase given) {
        HealthScore score = HealthScore.of(given.expectations(), given.counts(), given.number("hours"));
        assertThat(score.reliability().score()).as("R").isEqualTo(given.number("R"), within(ROUNDED));
        assertThat(score.performance().score()).as("P").isEqualTo(given.number("P"), within(ROUNDED));
        assertThat(score.stability().score()).as("St").isEqualTo(given.number("St"), within(ROUNDED));
        assertThat(score.operational().score()).as("O").isEqualTo(given.number("O"), within(ROUNDED));
        assertThat(score.active()).as("active").isEqualTo(given.has("points"));
        if (given.has("points")) {
            assertThat(score.points()).as("points").isEqualTo(new BigDecimal(given.text("points")));
        }
        assertThat(score.state().wireName()).as("state").isEqualTo(given.text("state"));
    }

    @Test
    void there_are_at_least_sixty_cases_and_each_has_a_name_of_its_own() {
        assertThat(ScoreCase.all())
                .hasSizeGreaterThanOrEqualTo(60)
                .extracting(ScoreCase::toString)
                .doesNotHaveDuplicates();
    }

    @Test
    void the_weights_add_up_to_a_hundred() {
        assertThat(HealthScore.RELIABILITY_WEIGHT
                        + HealthScore.PERFORMANCE_WEIGHT
                        + HealthScore.STABILITY_WEIGHT
                        + HealthScore.OPERATIONAL_WEIGHT)
                .isEqualTo(100);
    }

    @ParameterizedTest(name = "{0} points are {1}, which is {2}")
    @CsvSource({
        "100,              100.00, HEALTHY",
        "85,                85.00, HEALTHY",
        // one rounding of a sum of doubles off
        "84.99999999999999, 85.00, HEALTHY",
        "84.995,            85.00, HEALTHY",
        "84.99499999999999, 85.00, HEALTHY",
        "84.9949,           84.99, DEGRADED",
        "84.99,             84.99, DEGRADED",
        "84.5,              84.50, DEGRADED",
        "84,                84.00, DEGRADED",
        "65.01,             65.01, DEGRADED",
        "65,                65.00, DEGRADED",
        "64.995,            65.00, DEGRADED",
        "64.9949,           64.99, UNHEALTHY",
        "64.99,             64.99, UNHEALTHY",
        "60.005,            60.01, UNHEALTHY"
    })
    void what_is_shown_is_what_is_judged(double points, String shown, ScoreState state) {
        // Reliability alone, with success and failure fully believed: 40 R + 60.
        double success = ((points - 60) / 40 - 0.3) / 0.7;
        ReliabilityScore reliability = success >= 0
                ? new ReliabilityScore(1, success, 1, 0, 20, 20)
                : new ReliabilityScore(1, 0, (points - 60) / 40 / 0.3, 1, 20, 20);
        HealthScore score = new HealthScore(
                reliability,
                PerformanceScore.of(Expectations.NONE, OutcomeCounts.NONE),
                new StabilityScore(false, 0, 15),
                new OperationalScore(true, 0, 5, 0, 5),
                true);
        assertThat(score.points()).isEqualTo(new BigDecimal(shown));
        assertThat(score.state()).isEqualTo(state);
    }

    @Test
    @Tag("AHM-08")
    void without_an_execution_there_is_no_score_whatever_the_dimensions_say() {
        HealthScore score = new HealthScore(
                new ReliabilityScore(1, 0, 0, 9, 20, 20),
                PerformanceScore.of(Expectations.NONE, OutcomeCounts.NONE),
                new StabilityScore(true, 15, 15),
                new OperationalScore(true, 5, 5, 5, 5),
                false);
        assertThat(score.state()).isEqualTo(ScoreState.INACTIVE);
    }

    @Test
    @Tag("AHM-04")
    void the_runtime_is_the_mean_of_the_executions_that_reported_one_failures_included() {
        OutcomeCounts counts = Stream.of(
                        outcome(OutcomeResult.SUCCESS, 80),
                        outcome(OutcomeResult.SUCCESS, Outcome.NO_LATENCY),
                        outcome(OutcomeResult.FAILURE, 140),
                        outcome(OutcomeResult.FAILURE, Outcome.NO_LATENCY),
                        outcome(OutcomeResult.TRIGGER_FAILURE, 9_999))
                .map(outcome -> OutcomeCounts.of(outcome, OutcomeSource.SELF, RUNTIME_100))
                .reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        PerformanceScore performance = HealthScore.of(RUNTIME_100, counts, 24).performance();
        assertThat(performance.actualRuntimeMs()).hasValue(110);
        assertThat(performance.deviation().orElseThrow()).isEqualTo(0.1, within(ROUNDED));
        assertThat(performance.score()).isEqualTo(0.5, within(ROUNDED));
    }

    @Test
    @Tag("AHM-04")
    void runtimes_that_add_up_to_more_than_can_be_counted_stay_too_long() {
        long most = Math.round(Outcome.MAX_LATENCY_MS * 1_000);
        long executions = Long.MAX_VALUE / most;
        OutcomeCounts nearly = OutcomeCounts.of(
                Map.of(
                        OutcomeCounter.SELF_SUCCESSES, executions,
                        OutcomeCounter.LATENCIES, executions,
                        OutcomeCounter.LATENCY_MICROS, most * executions),
                LatencyHistogram.EMPTY);
        OutcomeCounts counts = nearly.plus(nearly);
        assertThat(counts.executions()).isEqualTo(2 * executions);
        PerformanceScore performance = HealthScore.of(RUNTIME_100, counts, 24).performance();
        assertThat(performance.score()).isZero();
        assertThat(performance.actualRuntimeMs().orElseThrow()).isCloseTo(Outcome.MAX_LATENCY_MS / 2, within(1_000d));
    }

    @Test
    @Tag("AHM-05")
    void long_running_is_what_takes_more_than_five_times_the_expected_runtime() {
        OutcomeCounts counts = Stream.of(100.0, 499.999, 500.0, 500.001, 9_999.0)
                .map(latency -> outcome(OutcomeResult.SUCCESS, latency))
                .map(outcome -> OutcomeCounts.of(outcome, OutcomeSource.SELF, RUNTIME_100))
                .reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        StabilityScore stability = HealthScore.of(RUNTIME_100, counts, 24).stability();
        assertThat(stability.longRunning()).isEqualTo(2);
        assertThat(stability.score()).isEqualTo(0.603759375, within(ROUNDED));
    }

    @ParameterizedTest(name = "a declared runtime of {0} ms, {1} latencies reported: {2}")
    @CsvSource({
        "'', 0, performance stability",
        "'', 9, performance stability",
        "100, 0, performance stability",
        "100, 1, ''"
    })
    @Tag("AHM-04")
    @Tag("AHM-05")
    void what_cannot_be_compared_is_named_and_counts_as_one(String runtime, long latencies, String named) {
        Expectations expected = runtime.isEmpty()
                ? Expectations.NONE
                : new Expectations(Map.of(Expectation.RUNTIME_MS, Double.parseDouble(runtime)));
        OutcomeCounts counts = OutcomeCounts.of(
                Map.of(
                        OutcomeCounter.SELF_SUCCESSES,
                        20L,
                        OutcomeCounter.LATENCIES,
                        latencies,
                        OutcomeCounter.LATENCY_MICROS,
                        latencies * 50_000),
                LatencyHistogram.EMPTY);
        HealthScore score = HealthScore.of(expected, counts, 24);
        assertThat(score.notEvaluated()).isEqualTo(named.isEmpty() ? List.of() : List.of(named.split(" ")));
        assertThat(score.points()).isEqualTo("100.00");
    }

    @Test
    @Tag("AHM-08")
    void without_executions_no_dimension_is_evaluated() {
        HealthScore score = HealthScore.of(RUNTIME_100, OutcomeCounts.NONE, 24);
        assertThat(score.notEvaluated()).containsExactly("reliability", "performance", "stability", "operational");
        assertThat(score.dimensions().values()).containsOnly(OptionalDouble.empty());
        OutcomeCounts trigger =
                OutcomeCounts.of(outcome(OutcomeResult.TRIGGER_FAILURE, 0), OutcomeSource.SELF, RUNTIME_100);
        assertThat(HealthScore.of(RUNTIME_100, trigger, 24).notEvaluated())
                .as("trigger failures count without executions")
                .containsExactly("reliability", "performance", "stability");
    }

    @ParameterizedTest
    @EnumSource
    void a_state_is_found_by_its_wire_name(ScoreState state) {
        assertThat(WireNamed.find(ScoreState.class, state.wireName())).contains(state);
        assertThat(state.wireName()).matches("[A-Z][a-z]+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "healthy", "HEALTHY", "Unknown"})
    void other_words_are_no_state(String word) {
        assertThat(WireNamed.find(ScoreState.class, word)).isEmpty();
    }

    private static Outcome outcome(OutcomeResult result, double latencyMs) {
        return new Outcome(result, ErrorType.OTHER, latencyMs, Instant.EPOCH, false);
    }
}
