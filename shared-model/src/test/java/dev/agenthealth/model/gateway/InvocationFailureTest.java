package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.profile.Expectation;
import dev.agenthealth.model.profile.Expectations;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SN-06")
class InvocationFailureTest {

    @ParameterizedTest
    @CsvSource({
        "TIMEOUT,          4999,  none,  false",
        "TIMEOUT,          5000,  none,  true",
        "CONNECT_TIMEOUT,  4999,  none,  false",
        "CONNECT_TIMEOUT,  5000,  none,  true",
        "TIMEOUT,          299,   300,   false",
        "TIMEOUT,          300,   300,   true",
        "TIMEOUT,          5000,  8000,  false",
        "TIMEOUT,          8000,  8000,  true",
        "TIMEOUT,          24999, 60000, false",
        "TIMEOUT,          25000, 60000, true",
        "RPC_ERROR,        1,     none,  true",
        "UNKNOWN_HOST,     1,     none,  true",
        "CONNECTION_LOST,  1,     none,  true",
        "INTERRUPTED,      60000, none,  false",
        "AGENT_BLOCKED,    60000, none,  false"
    })
    void a_timeout_is_evidence_only_where_the_agent_had_enough_time(
            InvocationFailure failure, int timeoutMillis, String sla, boolean isEvidence) {
        Expectations expected = sla.equals("none")
                ? Expectations.NONE
                : new Expectations(Map.of(Expectation.SLA_MS, Double.parseDouble(sla)));
        assertThat(failure.isEvidence(Duration.ofMillis(timeoutMillis), expected))
                .isEqualTo(isEvidence);
    }
}
