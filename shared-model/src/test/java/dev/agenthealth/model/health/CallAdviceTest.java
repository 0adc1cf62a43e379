package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallAdviceTest {

    @ParameterizedTest
    @CsvSource({"OK, PROCEED", "UNKNOWN, CAUTION", "DEGRADED, CAUTION", "DOWN, AVOID", "BLOCKED, AVOID"})
    void a_verdict_says_whether_to_call(Verdict verdict, CallAdvice advice) {
        assertThat(CallAdvice.of(verdict)).isEqualTo(advice);
    }

    @ParameterizedTest
    @CsvSource({"HEALTHY, PROCEED", "DEGRADED, CAUTION", "UNKNOWN, CAUTION", "UNHEALTHY, AVOID"})
    void a_public_status_says_whether_to_call(HealthStatus status, CallAdvice advice) {
        assertThat(CallAdvice.of(status)).isEqualTo(advice);
    }

    @ParameterizedTest
    @CsvSource({"0, CAUTION", "0.4999, CAUTION", "0.5, PROCEED", "1, PROCEED"})
    void a_reputation_below_that_without_evidence_advises_caution(BigDecimal reputation, CallAdvice advice) {
        assertThat(CallAdvice.ofReputation(reputation)).isEqualTo(advice);
    }

    @ParameterizedTest
    @CsvSource({
        "PROCEED, CAUTION, CAUTION",
        "AVOID, CAUTION, AVOID",
        "PROCEED, PROCEED, PROCEED",
        "CAUTION, AVOID, AVOID"
    })
    void the_worse_advice_holds(CallAdvice one, CallAdvice other, CallAdvice both) {
        assertThat(one.or(other)).isEqualTo(both);
    }
}
