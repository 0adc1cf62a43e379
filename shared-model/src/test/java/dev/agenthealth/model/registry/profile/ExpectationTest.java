package dev.agenthealth.model.registry.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.WireNamed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("AHM-09")
class ExpectationTest {

    @ParameterizedTest(name = "{0} = {1}: {2}")
    @CsvSource({
        "success_rate, 0, true",
        "success_rate, -0.0, true",
        "success_rate, -4.9E-324, false",
        "success_rate, 4.9E-324, true",
        "success_rate, 0.95, true",
        "success_rate, 1, true",
        "success_rate, 1.0000000000000002, false",
        "failures_per_hour, -4.9E-324, false",
        "failures_per_hour, 0, true",
        "failures_per_hour, 0.5, true",
        "failures_per_hour, 1000000, true",
        "failures_per_hour, 1000000.0000001, false",
        "runtime_ms, 0, false",
        "runtime_ms, 0.001, true",
        "runtime_ms, 2592000000, true",
        "runtime_ms, 2592000001, false",
        "deviation_allowed, 0, false",
        "deviation_allowed, 0.2, true",
        "deviation_allowed, 1000, true",
        "deviation_allowed, 1000.1, false",
        "full_confidence_executions, 0, false",
        "full_confidence_executions, 0.999, false",
        "full_confidence_executions, 1, true",
        "full_confidence_executions, 1.5, false",
        "full_confidence_executions, 20, true",
        "full_confidence_executions, 1000000, true",
        "full_confidence_executions, 1000001, false",
        "long_running_threshold, 0, false",
        "long_running_threshold, 1, true",
        "long_running_threshold, 15, true",
        "long_running_threshold, 15.5, false",
        "long_running_threshold, 1000001, false",
        "sla_breach_threshold, 0, false",
        "sla_breach_threshold, 1, true",
        "sla_breach_threshold, 5.5, false",
        "sla_breach_threshold, 1000001, false",
        "trigger_failure_threshold, 0, false",
        "trigger_failure_threshold, 1, true",
        "trigger_failure_threshold, 5.5, false",
        "trigger_failure_threshold, 1000001, false",
        "min_quality, 0, true",
        "min_quality, -0.1, false",
        "min_quality, 1, true",
        "min_quality, 1.1, false",
        "baseline_latency_ms, 0, false",
        "baseline_latency_ms, 0.5, true",
        "baseline_latency_ms, 86400000, true",
        "baseline_latency_ms, 86400000.1, false",
        "sla_ms, 0, false",
        "sla_ms, 0.5, true",
        "sla_ms, 2592000000, true",
        "sla_ms, 2592000001, false"
    })
    void a_number_is_accepted_within_its_bounds(String word, double value, boolean accepted) {
        assertThat(WireNamed.find(Expectation.class, word).orElseThrow().accepts(value))
                .isEqualTo(accepted);
    }

    @ParameterizedTest(name = "a window of {0} s: {1}")
    @Tag("AHS-09")
    @CsvSource({"299, false", "300, true", "300.5, false", "86400, true", "604800, true", "604801, false"})
    void a_window_lasts_from_five_minutes_to_seven_days(double seconds, boolean accepted) {
        assertThat(Expectation.WINDOW_SECONDS.accepts(seconds)).isEqualTo(accepted);
    }

    @ParameterizedTest
    @EnumSource
    void no_expectation_takes_what_is_no_number(Expectation expectation) {
        assertThat(expectation.accepts(Double.NaN)).isFalse();
        assertThat(expectation.accepts(Double.POSITIVE_INFINITY)).isFalse();
        assertThat(expectation.accepts(Double.NEGATIVE_INFINITY)).isFalse();
        assertThat(expectation.accepts(-1)).isFalse();
        assertThat(expectation.accepts(Double.MAX_VALUE)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void its_wire_name_leads_back_to_it(Expectation expectation) {
        assertThat(expectation.wireName()).matches("[a-z_]+");
        assertThat(WireNamed.find(Expectation.class, expectation.wireName())).contains(expectation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "SUCCESS_RATE", "Success_Rate", " success_rate", "successRate", "esr"})
    void other_words_are_no_expectation(String word) {
        assertThat(WireNamed.find(Expectation.class, word)).isEmpty();
    }

    @Test
    void says_its_rule_in_words() {
        assertThat(Expectation.SUCCESS_RATE.rule()).isEqualTo("must be a number from 0 to 1");
        assertThat(Expectation.FAILURES_PER_HOUR.rule()).isEqualTo("must be a number from 0 to 1000000");
        assertThat(Expectation.RUNTIME_MS.rule()).isEqualTo("must be a number above 0 and at most 2592000000");
        assertThat(Expectation.WINDOW_SECONDS.rule()).isEqualTo("must be a whole number from 300 to 604800");
    }
}
