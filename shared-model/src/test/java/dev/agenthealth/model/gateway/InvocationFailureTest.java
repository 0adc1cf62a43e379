package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SN-06")
class InvocationFailureTest {

    @ParameterizedTest
    @CsvSource({
        "TIMEOUT,          4999,  none,  true",
        "TIMEOUT,          5000,  none,  false",
        "CONNECT_TIMEOUT,  4999,  none,  true",
        "CONNECT_TIMEOUT,  5000,  none,  false",
        "TIMEOUT,          299,   300,   true",
        "TIMEOUT,          300,   300,   false",
        "TIMEOUT,          5000,  8000,  true",
        "TIMEOUT,          8000,  8000,  false",
        "TIMEOUT,          24999, 60000, true",
        "TIMEOUT,          25000, 60000, false",
        "RPC_ERROR,        1,     none,  false",
        "UNKNOWN_HOST,     1,     none,  false",
        "CONNECTION_LOST,  1,     none,  false",
        "OVERLOADED,       1,     none,  false",
        "CLIENT_ERROR,     1,     none,  false",
        "TASK_FAILED,      1,     none,  false",
        "RPC_REFUSED,      60000, none,  true",
        "MESSAGE_REFUSED,  60000, none,  true",
        "TASK_REJECTED,    60000, none,  true"
    })
    void a_caller_may_have_caused_a_refused_message_and_a_short_timeout(
            InvocationFailure failure, int timeoutMillis, String sla, boolean mayBe) {
        Expectations expected = sla.equals("none")
                ? Expectations.NONE
                : new Expectations(Map.of(Expectation.SLA_MS, Double.parseDouble(sla)));
        assertThat(failure.mayBeOfCaller(Duration.ofMillis(timeoutMillis), expected))
                .isEqualTo(mayBe);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "UNKNOWN_HOST,     true,  true,  false, false, false, OTHER",
        "CONNECT_TIMEOUT,  true,  true,  false, false, false, TIMEOUT",
        "CONNECTION_LOST,  true,  false, false, false, false, OTHER",
        "TIMEOUT,          true,  false, false, false, false, TIMEOUT",
        "CLIENT_ERROR,     true,  false, true,  false, false, CLIENT_ERROR",
        "SERVER_ERROR,     true,  false, true,  false, false, SERVER_ERROR",
        "MALFORMED,        true,  false, true,  false, false, MALFORMED",
        "RPC_REFUSED,      true,  false, true,  true,  false, CLIENT_ERROR",
        "RPC_ERROR,        true,  false, true,  true,  false, SERVER_ERROR",
        "TASK_REJECTED,    true,  false, true,  false, true,  CLIENT_ERROR",
        "TASK_FAILED,      true,  false, true,  false, true,  OTHER",
        "AGENT_BLOCKED,    false, false, false, false, false, OTHER",
        "INTERRUPTED,      false, false, false, false, false, OTHER"
    })
    void a_failure_says_how_far_the_call_came(
            InvocationFailure failure,
            boolean agents,
            boolean repeatable,
            boolean answer,
            boolean rpcError,
            boolean task,
            ErrorType type) {
        assertThat(failure.isTheAgents()).isEqualTo(agents);
        assertThat(failure.isSafeToRepeat()).isEqualTo(repeatable);
        assertThat(failure.isAnswer()).isEqualTo(answer);
        assertThat(failure.isRpcError()).isEqualTo(rpcError);
        assertThat(failure.isTask()).isEqualTo(task);
        assertThat(failure.errorType()).isEqualTo(type);
    }
}
