package dev.agenthealth.model.registry.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("AHS-08")
class OutcomeCountsTest {

    private static final Expectations EXPECTED = new Expectations(
            Map.of(Expectation.RUNTIME_MS, 100d, Expectation.BASELINE_LATENCY_MS, 100d, Expectation.SLA_MS, 1_000d));

    static Stream<Arguments> errorsAndSources() {
        return Arrays.stream(ErrorType.values())
                .flatMap(error -> Arrays.stream(OutcomeSource.values()).map(source -> Arguments.of(error, source)));
    }

    @ParameterizedTest
    @EnumSource
    void a_success_counts_for_its_source_and_for_nothing_else(OutcomeSource source) {
        OutcomeCounts counts = OutcomeCounts.of(success(Outcome.NO_LATENCY), source, EXPECTED);
        assertThat(counts).isEqualTo(counts(Map.of(source.successes(), 1L)));
        assertThat(counts.successes()).isEqualTo(1);
        assertThat(counts.failures()).isZero();
        assertThat(counts.executions()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} from {1}")
    @MethodSource("errorsAndSources")
    void a_failure_counts_for_its_source_and_its_error(ErrorType error, OutcomeSource source) {
        Outcome failure = outcome(OutcomeResult.FAILURE, error, Outcome.NO_LATENCY, false);
        OutcomeCounts counts = OutcomeCounts.of(failure, source, EXPECTED);
        assertThat(counts).isEqualTo(counts(Map.of(source.failures(), 1L, error.counter(), 1L)));
        assertThat(counts.successes()).isZero();
        assertThat(counts.failures()).isEqualTo(1);
        assertThat(counts.executions()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("AHM-06")
    void a_trigger_failure_is_no_execution_and_has_no_latency_and_no_sla(OutcomeSource source) {
        Outcome triggerFailure = outcome(OutcomeResult.TRIGGER_FAILURE, ErrorType.TIMEOUT, 99_999, true);
        OutcomeCounts counts = OutcomeCounts.of(triggerFailure, source, EXPECTED);
        assertThat(counts).isEqualTo(counts(Map.of(OutcomeCounter.TRIGGER_FAILURES, 1L)));
        assertThat(counts.executions()).isZero();
        assertThat(counts.isNothing()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"SUCCESS, 0", "FAILURE, 1"})
    void the_error_of_what_did_not_fail_means_nothing(OutcomeResult result, long timeouts) {
        Outcome outcome = outcome(result, ErrorType.TIMEOUT, 5, false);
        assertThat(OutcomeCounts.of(outcome, OutcomeSource.SELF, EXPECTED).get(OutcomeCounter.TIMEOUTS))
                .isEqualTo(timeouts);
    }

    @ParameterizedTest(name = "{1} ms of an expected runtime of {0} ms: long-running {2}")
    @CsvSource({
        "100,   500,                0",
        "100,   500.00000000000006, 1",
        "100,   499.999,            0",
        "100,   501,                1",
        "100,   0,                  0",
        // as decimals: 5 x 0.07 is 0.35, 5 x 1.1 is 5.5
        "0.07,  0.35,               0",
        "1.1,   5.5,                0",
        "1.1,   5.500001,           1",
        "'',    2592000000,         0"
    })
    @Tag("AHM-05")
    void long_running_is_longer_than_exactly_five_times_the_runtime(
            String runtime, double latencyMs, long longRunning) {
        assertThat(counted(Expectation.RUNTIME_MS, runtime, success(latencyMs), OutcomeCounter.LONG_RUNNING))
                .isEqualTo(longRunning);
    }

    @ParameterizedTest(name = "{1} ms of a baseline of {0} ms: above {2}")
    @CsvSource({
        "100,  300,                0",
        "100,  300.00000000000006, 1",
        "100,  299.999,            0",
        "100,  301,                1",
        // as decimals: 3 x 0.7 is 2.1 and 3 x 1.1 is 3.3, which products of doubles miss
        "0.7,  2.1,                0",
        "0.7,  2.1000001,          1",
        "1.1,  3.3,                0",
        "1.1,  3.3000000000000003, 1",
        "'',   2592000000,         0"
    })
    @Tag("AHS-04")
    void above_the_baseline_is_above_exactly_three_times_of_it(String baseline, double latencyMs, long above) {
        assertThat(counted(
                        Expectation.BASELINE_LATENCY_MS, baseline, success(latencyMs), OutcomeCounter.ABOVE_BASELINE))
                .isEqualTo(above);
    }

    @ParameterizedTest(name = "{1} ms of {0} ms, said to be breached: {2}: breached {3}")
    @CsvSource({
        "1000, 1000,               false, 0",
        "1000, 1000.0000000000001, false, 1",
        "1000, 999.999,            false, 0",
        "1000, 1000,               true,  1",
        "1000, 5000,               true,  1",
        "1000, -1,                 false, 0",
        "1000, -1,                 true,  1",
        "'',   2592000000,         false, 0",
        "'',   1,                  true,  1"
    })
    @Tag("AHM-06")
    void an_sla_is_breached_beyond_its_latency_or_where_the_reporter_says_so(
            String slaMs, double latencyMs, boolean said, long breaches) {
        for (OutcomeResult result : new OutcomeResult[] {OutcomeResult.SUCCESS, OutcomeResult.FAILURE}) {
            Outcome outcome = outcome(result, ErrorType.OTHER, latencyMs, said);
            assertThat(counted(Expectation.SLA_MS, slaMs, outcome, OutcomeCounter.SLA_BREACHES))
                    .isEqualTo(breaches);
        }
    }

    @ParameterizedTest
    @CsvSource({"SUCCESS, 1", "FAILURE, 1"})
    void latencies_of_successes_and_failures_are_counted_and_summed_in_microseconds(
            OutcomeResult result, long counted) {
        OutcomeCounts counts = OutcomeCounts.of(
                outcome(result, ErrorType.OTHER, 12.3456, false), OutcomeSource.GATEWAY, Expectations.NONE);
        assertThat(counts.get(OutcomeCounter.LATENCIES)).isEqualTo(counted);
        assertThat(counts.get(OutcomeCounter.LATENCY_MICROS)).isEqualTo(12_346);
        assertThat(counts.latencies().counts()).containsExactly(Map.entry(12, 1L));
    }

    @Test
    void an_outcome_without_a_latency_has_none_in_the_counts() {
        OutcomeCounts counts = OutcomeCounts.of(success(Outcome.NO_LATENCY), OutcomeSource.SELF, EXPECTED);
        assertThat(counts.get(OutcomeCounter.LATENCIES)).isZero();
        assertThat(counts.latencies()).isEqualTo(LatencyHistogram.EMPTY);
    }

    @Test
    void a_latency_of_zero_is_a_latency() {
        OutcomeCounts counts = OutcomeCounts.of(success(0), OutcomeSource.SELF, EXPECTED);
        assertThat(counts.get(OutcomeCounter.LATENCIES)).isEqualTo(1);
        assertThat(counts.get(OutcomeCounter.LATENCY_MICROS)).isZero();
        assertThat(counts.latencies().total()).isEqualTo(1);
    }

    @Test
    void one_slow_outcome_counts_everywhere_at_once() {
        Outcome slow = outcome(OutcomeResult.FAILURE, ErrorType.TIMEOUT, 1_001, false);
        assertThat(OutcomeCounts.of(slow, OutcomeSource.COORDINATOR, EXPECTED))
                .isEqualTo(OutcomeCounts.of(
                        Map.of(
                                OutcomeCounter.COORDINATOR_FAILURES, 1L,
                                OutcomeCounter.TIMEOUTS, 1L,
                                OutcomeCounter.SLA_BREACHES, 1L,
                                OutcomeCounter.LONG_RUNNING, 1L,
                                OutcomeCounter.ABOVE_BASELINE, 1L,
                                OutcomeCounter.LATENCIES, 1L,
                                OutcomeCounter.LATENCY_MICROS, 1_001_000L),
                        LatencyHistogram.of(Map.of(LatencyBuckets.of(1_001), 1L))));
    }

    @Test
    void counts_add_up_counter_by_counter() {
        Map<OutcomeCounter, Long> one = new EnumMap<>(OutcomeCounter.class);
        Map<OutcomeCounter, Long> two = new EnumMap<>(OutcomeCounter.class);
        Map<OutcomeCounter, Long> both = new EnumMap<>(OutcomeCounter.class);
        for (OutcomeCounter counter : OutcomeCounter.values()) {
            one.put(counter, 1L + counter.ordinal());
            two.put(counter, 1_000L * counter.ordinal());
            both.put(counter, 1L + 1_001L * counter.ordinal());
        }
        OutcomeCounts sum = OutcomeCounts.of(one, LatencyHistogram.of(Map.of(1, 1L, 2, 2L)))
                .plus(OutcomeCounts.of(two, LatencyHistogram.of(Map.of(2, 3L))));
        assertThat(sum).isEqualTo(OutcomeCounts.of(both, LatencyHistogram.of(Map.of(1, 1L, 2, 5L))));
        both.forEach((counter, number) -> assertThat(sum.get(counter)).isEqualTo(number));
    }

    @Test
    void executions_are_the_successes_and_failures_of_all_sources() {
        OutcomeCounts counts = counts(Map.of(
                OutcomeCounter.GATEWAY_SUCCESSES, 1L,
                OutcomeCounter.COORDINATOR_SUCCESSES, 20L,
                OutcomeCounter.SELF_SUCCESSES, 300L,
                OutcomeCounter.GATEWAY_FAILURES, 4_000L,
                OutcomeCounter.COORDINATOR_FAILURES, 50_000L,
                OutcomeCounter.SELF_FAILURES, 600_000L,
                OutcomeCounter.TRIGGER_FAILURES, 7_000_000L));
        assertThat(counts.successes()).isEqualTo(321);
        assertThat(counts.failures()).isEqualTo(654_000);
        assertThat(counts.executions()).isEqualTo(654_321);
    }

    @Test
    void without_the_distribution_the_number_and_sum_of_the_latencies_stay() {
        OutcomeCounts counts = OutcomeCounts.of(success(7), OutcomeSource.SELF, EXPECTED);
        OutcomeCounts without = counts.withoutLatencies();
        assertThat(without.latencies()).isEqualTo(LatencyHistogram.EMPTY);
        assertThat(without.get(OutcomeCounter.LATENCIES)).isEqualTo(1);
        assertThat(without.get(OutcomeCounter.LATENCY_MICROS)).isEqualTo(7_000);
        assertThat(without).isNotEqualTo(counts);
    }

    @Test
    void no_outcome_counts_nothing() {
        assertThat(OutcomeCounts.NONE.isNothing()).isTrue();
        assertThat(OutcomeCounts.of(Map.of(), LatencyHistogram.EMPTY)).isEqualTo(OutcomeCounts.NONE);
        OutcomeCounts counts = OutcomeCounts.of(success(7), OutcomeSource.SELF, EXPECTED);
        assertThat(OutcomeCounts.NONE.plus(counts)).isEqualTo(counts).isEqualTo(counts.plus(OutcomeCounts.NONE));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-Double.MIN_VALUE, -0.5, -2, 2_592_000_000.000_001, Double.NaN, Double.POSITIVE_INFINITY})
    void what_is_no_latency_is_refused(double latencyMs) {
        assertThatIllegalArgumentException().isThrownBy(() -> success(latencyMs));
    }

    @Test
    void the_words_of_results_errors_and_sources_lead_back_to_them() {
        for (OutcomeResult result : OutcomeResult.values()) {
            assertThat(WireNamed.find(OutcomeResult.class, result.wireName())).contains(result);
        }
        for (ErrorType error : ErrorType.values()) {
            assertThat(WireNamed.find(ErrorType.class, error.wireName())).contains(error);
        }
        assertThat(OutcomeResult.TRIGGER_FAILURE.wireName()).isEqualTo("trigger_failure");
        assertThat(ErrorType.CLIENT_ERROR.wireName()).isEqualTo("client_error");
        assertThat(OutcomeSource.GATEWAY.wireName()).isEqualTo("gateway");
        assertThat(WireNamed.find(OutcomeResult.class, "SUCCESS")).isEmpty();
        assertThat(WireNamed.find(ErrorType.class, "")).isEmpty();
    }

    private static long counted(Expectation expectation, String declared, Outcome outcome, OutcomeCounter counter) {
        Expectations expected = declared.isEmpty()
                ? Expectations.NONE
                : new Expectations(Map.of(expectation, Double.parseDouble(declared)));
        return OutcomeCounts.of(outcome, OutcomeSource.SELF, expected).get(counter);
    }

    private static OutcomeCounts counts(Map<OutcomeCounter, Long> counters) {
        return OutcomeCounts.of(counters, LatencyHistogram.EMPTY);
    }

    private static Outcome success(double latencyMs) {
        return outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, latencyMs, false);
    }

    private static Outcome outcome(OutcomeResult result, ErrorType error, double latencyMs, boolean slaBreached) {
        return new Outcome(result, error, latencyMs, Instant.EPOCH, slaBreached);
    }
}
