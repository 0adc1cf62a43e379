package dev.agenthealth.model.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a receipt goes from state to state, and which failures are whose. */
@Tag("SN-07")
class ReceiptTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RUN = Duration.ofSeconds(120);

    private final Receipt accepted = Receipt.asynchronous("rcpt_1", "a", "key_1", TIMEOUT, NOW);

    @Test
    void whoever_waits_finds_it_running() {
        Receipt receipt = Receipt.synchronous("rcpt_1", "a", "key_1", TIMEOUT, NOW, RUN);
        assertThat(receipt.state().word()).isEqualTo("running");
        assertThat(receipt.deadline()).isEqualTo(NOW.plus(RUN));
        assertThat(receipt.expiresAt()).isEqualTo(NOW.plus(Duration.ofDays(1)));
    }

    @Test
    void whoever_does_not_wait_finds_it_accepted_then_running_then_over() {
        assertThat(accepted.state().word()).isEqualTo("accepted");
        assertThat(accepted.deadline()).isEqualTo(NOW.plus(Receipt.MAX_WAIT));
        Receipt running = accepted.started(NOW.plusSeconds(1), RUN);
        assertThat(running.state().word()).isEqualTo("running");
        assertThat(running.deadline()).isEqualTo(NOW.plusSeconds(121));
        assertThat(running.attempt()).isEqualTo(1);
        Receipt over = running.finished(new ReceiptState.Succeeded(NOW.plusSeconds(2), 900));
        assertThat(over.state().word()).isEqualTo("succeeded");
        assertThat(over.expiresAt()).isEqualTo(accepted.expiresAt());
    }

    @ParameterizedTest
    @EnumSource(InvocationFailure.class)
    void an_agent_that_got_nothing_is_tried_again_twice_and_no_other(InvocationFailure failure) {
        Receipt running = accepted.started(NOW, RUN);
        int tries = 1;
        while (running.mayBeRepeatedAfter(failure)) {
            running = running.postponed(NOW).started(NOW, RUN);
            tries++;
        }
        boolean nothingSent =
                switch (failure) {
                    case UNKNOWN_HOST, CONNECTION_REFUSED, TLS_FAILED, CONNECT_TIMEOUT -> true;
                    default -> false;
                };
        assertThat(tries).isEqualTo(nothingSent ? 3 : 1);
        assertThat(running.attempt()).isEqualTo(tries);
        assertThat(Receipt.synchronous("rcpt_1", "a", "key_1", TIMEOUT, NOW, RUN)
                        .mayBeRepeatedAfter(failure))
                .as("a caller who waits decides for itself")
                .isFalse();
    }

    @Test
    void an_agent_that_got_nothing_is_left_alone_for_longer_each_time() {
        Receipt first = accepted.started(NOW, RUN);
        Receipt second = first.postponed(NOW).started(NOW, RUN);
        assertThat(first.pause()).isEqualTo(Duration.ofSeconds(5));
        assertThat(second.pause()).isEqualTo(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @EnumSource(InvocationFailure.class)
    void a_failure_is_the_agent_s_where_the_agent_was_called(InvocationFailure failure) {
        assertThat(InvocationFailure.ofWord(failure.word())).contains(failure);
        boolean agents = failure.error().startsWith("agent_")
                && !failure.error().matches("agent_(not_found|blocked|not_active|has_no_endpoint)");
        assertThat(failure.isTheAgents()).isEqualTo(agents);
    }

    @Test
    void no_other_word_is_a_failure() {
        assertThat(InvocationFailure.ofWord("")).isEmpty();
    }
}
