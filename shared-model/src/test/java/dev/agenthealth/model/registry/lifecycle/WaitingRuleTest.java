package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.WaitingChange.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitingRuleTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** @param task seconds before {@link Pulses#T0} since which a task waits; -1 for none */
    @ParameterizedTest
    @CsvSource({
        "HUMAN, 59, -1, '',           59",
        "HUMAN, 60, -1, NEEDS_PERSON, 60",
        "HUMAN, 10, 60, NEEDS_PERSON, 60",
        "HUMAN, 60, 10, NEEDS_PERSON, 60",
        "TOOL,  99, 59, '',           59",
        "TOOL,  99, 60, NEEDS_PERSON, 60",
        "TOOL,  99, -1, '',           -1"
    })
    void the_earlier_beginning_counts(Phase phase, int activity, int task, String due, int since) {
        Pulse pulse = pulse(phase, activity);
        Pulse waiting = task < 0 ? pulse : pulse.withTaskWait(T0.minusSeconds(task));
        assertThat(WaitingRule.since(waiting))
                .isEqualTo(since < 0 ? Optional.empty() : Optional.of(T0.minusSeconds(since)));
        assertThat(WaitingRule.due(waiting, MINUTE, T0)
                        .map(WaitingChange::reason)
                        .map(Enum::name)
                        .orElse(""))
                .isEqualTo(due);
    }

    @Test
    void a_published_wait_is_over_once() {
        Pulse waiting = pulse(Phase.HUMAN, 60);
        WaitingChange begun = WaitingRule.due(waiting, MINUTE, T0).orElseThrow();
        assertThat(begun.since()).isEqualTo(T0.minusSeconds(60));
        assertThat(begun.after().sequence()).isEqualTo(waiting.sequence() + 1);
        assertThat(WaitingRule.due(begun.after(), MINUTE, T0.plusSeconds(900))).isEmpty();
        Pulse goesOn = Pulses.afterHeartbeat(begun.after(), T0.plusSeconds(30));
        WaitingChange over = WaitingRule.due(goesOn, MINUTE, T0.plusSeconds(30)).orElseThrow();
        assertThat(over.reason()).isEqualTo(Reason.CONTINUED);
        assertThat(over.since()).isEqualTo(T0.minusSeconds(60));
        assertThat(WaitingRule.due(over.after(), MINUTE, T0.plusSeconds(60))).isEmpty();
    }

    @Test
    void an_agent_that_ends_waits_no_longer() {
        Pulse begun = WaitingRule.due(pulse(Phase.HUMAN, 60).withTaskWait(T0.minusSeconds(99)), MINUTE, T0)
                .orElseThrow()
                .after();
        Pulse gone = begun.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, T0);
        assertThat(WaitingRule.since(gone)).isEmpty();
        assertThat(WaitingRule.due(gone, MINUTE, T0).orElseThrow().reason()).isEqualTo(Reason.ENDED);
    }

    @Test
    void a_beginning_in_the_future_counts_as_now() {
        Pulse ahead = pulse(Phase.TOOL, 1).withTaskWait(T0.plusSeconds(9_999));
        assertThat(AheadRule.isAhead(ahead, MINUTE, T0)).isTrue();
        assertThat(WaitingRule.since(AheadRule.bounded(ahead, MINUTE, T0))).contains(T0);
    }

    private static Pulse pulse(Phase phase, int seconds) {
        Heartbeat heartbeat = new Heartbeat(
                false,
                Workload.NOT_REPORTED,
                false,
                List.of(),
                T0,
                ProcessStart.UNKNOWN,
                Pulse.ANY_INCARNATION,
                new ReportedActivity(phase, Duration.ofSeconds(seconds), "approval"),
                SeenBy.HEARTBEAT);
        Instant now = T0;
        return Pulses.active().withHeartbeat(heartbeat, now);
    }
}
