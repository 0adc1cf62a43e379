package dev.agenthealth.model.registry.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agenthealth.model.health.Measurement;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evaluations of executions, and the quality that follows from them. */
class EvaluationTest {

    @ParameterizedTest(name = "{0} executions with {1} evaluations, of which {2} are good: low below {3} is {4}")
    @CsvSource({
        "20, 20, 12, 0.8, true",
        "20, 20, 16, 0.8, false",
        "20, 20, 15, 0.8, true",
        "10, 5, 0, 0.1, true",
        "9, 5, 0, 0.1, false",
        "10, 4, 0, 0.1, false",
        "10, 5, 0, 0, false",
        "10, 5, 5, 1, false",
        "10, 5, 4, 1, true",
    })
    void quality_is_low_below_the_declared_minimum(
            int executions, int evaluations, int good, double minimum, boolean low) {
        OutcomeCounts counts =
                OutcomeCounts.of(Map.of(OutcomeCounter.SELF_SUCCESSES, (long) executions), LatencyHistogram.EMPTY);
        for (int i = 0; i < evaluations; i++) {
            counts = counts.plus(new Evaluation("relevance", i < good ? 1 : 0).counts());
        }
        Expectations expectations = Expectations.NONE.with(Expectation.MIN_QUALITY, minimum);
        assertThat(new Measurement(expectations, counts, 0, 0, 0, 0, 1).isLowQuality())
                .isEqualTo(low);
        assertThat(new Measurement(Expectations.NONE, counts, 0, 0, 0, 0, 1).isLowQuality())
                .isFalse();
    }

    @Test
    void many_evaluations_at_the_minimum_are_not_below_it() {
        OutcomeCounts counts = OutcomeCounts.NONE;
        for (int i = 0; i < 1_000; i++) {
            counts = counts.plus(new Evaluation("", 0.7).counts());
        }
        assertThat(counts.quality()).hasValue(0.7);
        assertThat(counts.isQualityBelow(0.7)).isFalse();
        assertThat(counts.isQualityBelow(0.700001)).isTrue();
        assertThat(Evaluation.NONE.counts()).isEqualTo(OutcomeCounts.NONE);
    }

    @ParameterizedTest
    @CsvSource({"8, 8, 8, 0.25", "8, 7, 8, 0.75", "7, 8, 8, 0.25", "0, 4, 4, 0.25", "4, 0, 4, 0.75"})
    void evaluations_of_the_same_executions_in_outcomes_and_events_count_once(
            int inOutcomes, int inEvents, int evaluations, double quality) {
        OutcomeCounts counts = OutcomeCounts.NONE;
        for (int i = 0; i < inOutcomes; i++) {
            counts = counts.plus(new Evaluation("", 0.75).counts());
        }
        for (int i = 0; i < inEvents; i++) {
            counts = counts.plus(new Evaluation("", 0.25).countsOfEvent());
        }
        assertThat(counts.evaluations()).isEqualTo(evaluations);
        assertThat(counts.quality()).hasValue(quality);
        assertThat(counts.isQualityBelow(0.5)).isEqualTo(quality < 0.5);
    }

    @ParameterizedTest
    @CsvSource({"-0.1", "1.1", "NaN"})
    void a_quality_is_from_0_to_1(double quality) {
        assertThatThrownBy(() -> new Evaluation("", quality)).isInstanceOf(IllegalArgumentException.class);
    }
}
