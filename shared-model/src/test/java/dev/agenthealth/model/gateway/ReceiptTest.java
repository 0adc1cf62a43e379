package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.WireNamed;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state transitions of a receipt, and the failures that count against the agent. */
@Tag("SN-07")
class ReceiptTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RUN = Duration.ofSeconds(120);

    private final Receipt accepted = Receipt.asynchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, NOW);

    @Test
    void a_synchronous_invocation_starts_as_running() {
        Receipt receipt = Receipt.synchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, NOW, RUN);
        assertThat(receipt.state().wireName()).isEqualTo("running");
        assertThat(receipt.deadline()).isEqualTo(NOW.plus(RUN));
        assertThat(receipt.expiresAt()).isEqualTo(NOW.plus(Duration.ofDays(1)));
    }

    @Test
    void an_asynchronous_invocation_is_accepted_then_running_then_finished() {
        assertThat(accepted.state().wireName()).isEqualTo("accepted");
        assertThat(accepted.deadline()).isEqualTo(NOW.plus(Receipt.MAX_WAIT));
        Receipt running = accepted.started(NOW.plusSeconds(1), RUN);
        assertThat(running.state().wireName()).isEqualTo("running");
        assertThat(running.deadline()).isEqualTo(NOW.plusSeconds(121));
        assertThat(running.attempt()).isEqualTo(1);
        Receipt over = running.ended(CallResult.success("", NOW.plusSeconds(2), 900), true);
        assertThat(over.state().wireName()).isEqualTo("succeeded");
        assertThat(over.expiresAt()).isEqualTo(accepted.expiresAt());
    }

    @ParameterizedTest
    @EnumSource(InvocationFailure.class)
    void the_gateway_counts_an_invocation_unless_it_ended_without_evidence(InvocationFailure failure) {
        Receipt running = accepted.started(NOW, RUN);
        assertThat(accepted.counted()).isTrue();
        assertThat(running.counted()).isTrue();
        CallResult failed = CallResult.failure(failure, NOW, 900);
        assertThat(running.ended(failed, true).counted()).isTrue();
        assertThat(running.ended(failed, false).counted()).isFalse();
        assertThat(running.ended(failed, false).state()).isEqualTo(ReceiptState.FAILED);
    }

    @ParameterizedTest
    @EnumSource(InvocationFailure.class)
    void only_unreached_agents_are_retried_and_at_most_twice(InvocationFailure failure) {
        Receipt running = accepted.started(NOW, RUN);
        int tries = 1;
        while (running.mayBeRepeatedAfter(failure)) {
            running = running.postponed(NOW).started(NOW, RUN);
            tries++;
        }
        boolean nothingSent =
                switch (failure) {
                    case UNKNOWN_HOST, CONNECTION_REFUSED, TLS_FAILED, CERTIFICATE_EXPIRED, CONNECT_TIMEOUT -> true;
                    default -> false;
                };
        assertThat(tries).isEqualTo(nothingSent ? 3 : 1);
        assertThat(running.attempt()).isEqualTo(tries);
        assertThat(Receipt.synchronous("rcpt_1", "a", "key_1", TIMEOUT, TraceContext.NONE, NOW, RUN)
                        .mayBeRepeatedAfter(failure))
                .as("synchronous invocations are not retried")
                .isFalse();
    }

    @Test
    void the_pause_before_a_retry_grows() {
        Receipt first = accepted.started(NOW, RUN);
        Receipt second = first.postponed(NOW).started(NOW, RUN);
        assertThat(first.pause()).isEqualTo(Duration.ofSeconds(5));
        assertThat(second.pause()).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @EnumSource(InvocationFailure.class)
    void a_failure_is_the_agent_s_where_the_agent_was_called(InvocationFailure failure) {
        assertThat(WireNamed.find(InvocationFailure.class, failure.wireName())).contains(failure);
        boolean agents = failure.error().startsWith("agent_")
                && !failure.error().matches("agent_(not_found|blocked|stopped|not_active|has_no_endpoint)");
        assertThat(failure.isTheAgents()).isEqualTo(agents);
    }

    @Test
    void no_other_word_is_a_failure() {
        assertThat(WireNamed.find(InvocationFailure.class, "")).isEmpty();
    }
}
