package dev.agenthealth.model.sweep;

import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.lifecycle.HeartbeatConfig;
import dev.agenthealth.model.registry.lifecycle.LifeSigns;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.Pulses;
import dev.agenthealth.model.registry.profile.ProbeResult;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent that was last seen, and unhealthy, at {@link Pulses#T0}; its death is due 300 s later. */
class SecondOpinionRuleTest {

    private static final Pulse UNHEALTHY = Pulses.in(
            LifecycleStatus.UNHEALTHY,
            HeartbeatConfig.DEFAULT.with(new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.empty(), true)));

    private static ProbeState found(String failure, long at) {
        return ProbeState.NONE.then(new ProbeResult(T0.plusSeconds(at), failure, "", 1, Instant.EPOCH));
    }

    @ParameterizedTest(name = "''{0}'' at {1}, now {2}: {3}")
    @CsvSource({
        // it does not answer
        "HTTP 503, 200, 301, true",
        // it answers, as far as is known for eight minutes
        "'', 200, 301, false",
        "'', 200, 680, false",
        "'', 200, 681, true",
        "'', 600, 1080, false",
        "'', 600, 1081, true",
        // for a day
        "'', 86300, 86400, false",
        "'', 86300, 86401, true",
        // it was asked before it fell silent only: five minutes are left to ask it
        "HTTP 503, 0, 600, false",
        "HTTP 503, 0, 601, true",
        "'', 0, 600, false",
        "'', 0, 601, true"
    })
    void a_death_is_confirmed_by_no_answer_a_day_of_answers_or_five_minutes_without_a_question(
            String failure, long at, long now, boolean confirmed) {
        assertThat(SecondOpinionRule.isConfirmed(
                        UNHEALTHY, found(failure, at), T0.plusSeconds(300), T0.plusSeconds(now)))
                .isEqualTo(confirmed);
    }

    @ParameterizedTest
    @CsvSource({"600, false", "601, true"})
    void an_agent_is_reachable_that_is_not_dead_five_minutes_after_its_death_was_due(long now, boolean reachable) {
        assertThat(SecondOpinionRule.isReachable(UNHEALTHY, T0.plusSeconds(now)))
                .isEqualTo(reachable);
        assertThat(SecondOpinionRule.isReachable(Pulses.in(LifecycleStatus.UNHEALTHY), T0.plusSeconds(now)))
                .isFalse();
        assertThat(SecondOpinionRule.isReachable(
                        Pulses.in(LifecycleStatus.DEAD, UNHEALTHY.config()), T0.plusSeconds(now)))
                .isFalse();
    }
}
