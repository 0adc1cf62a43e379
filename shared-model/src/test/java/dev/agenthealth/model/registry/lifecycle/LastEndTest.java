package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who ended a registration, from its end until the end of the next one. */
@Tag("R16-13")
class LastEndTest {

    private static final Instant LATE = T0.plusSeconds(1_000);

    @ParameterizedTest(name = "drain by {0}, load {1}: {2}, ended by {3}")
    @CsvSource({
        "key_operator, 0, drain_completed, OPERATOR",
        "key_operator, 3, drain_timeout,   OPERATOR",
        "key_1,        0, drain_completed, OWNER",
        "key_1,        3, drain_timeout,   OWNER",
        "'',           0, drain_completed, OWNER",
        "registry,     0, drain_completed, REGISTRY",
        "registry,     3, drain_timeout,   REGISTRY"
    })
    void the_end_of_a_drain_is_the_word_of_who_asked_for_it(String key, int load, String reason, EndedBy by) {
        Pulse draining = DrainRule.start(
                        Pulses.active().withHeartbeat(Pulses.heartbeat(load, 0), T0),
                        Duration.ofSeconds(120),
                        key,
                        false,
                        T0)
                .after();
        Pulse after =
                DrainRule.end(draining, false, NO_GRACE, LATE).orElseThrow().after();
        assertThat(after.end().by()).isEqualTo(by);
        assertThat(after.end().reason().wireName()).isEqualTo(reason);
        assertThat(after.end().at()).isEqualTo(after.statusSince()).isEqualTo(LATE);
        assertThat(after.end().isByOperator()).isEqualTo(by == EndedBy.OPERATOR);
    }

    @Test
    void an_operators_drain_that_leaves_leases_behind_ends_by_the_operator_too() {
        Pulse draining = DrainRule.start(Pulses.active(), Duration.ofSeconds(120), "key_operator", false, T0)
                .after();
        Pulse dead = DrainRule.end(draining, true, NO_GRACE, LATE).orElseThrow().after();
        assertThat(dead.status()).isEqualTo(LifecycleStatus.DEAD);
        assertThat(dead.end().isByOperator()).isTrue();
    }

    @Test
    void silence_ends_an_agent_by_the_registry_and_an_unhealthy_one_has_not_ended() {
        Pulse unhealthy = HeartbeatTimeoutRule.due(Pulses.active(), NO_GRACE, LATE)
                .orElseThrow()
                .after();
        assertThat(unhealthy.lastEnd()).isEqualTo(LastEnd.NONE);
        Pulse dead = HeartbeatTimeoutRule.due(unhealthy, NO_GRACE, LATE)
                .orElseThrow()
                .after();
        assertThat(dead.end()).isEqualTo(new LastEnd(EndedBy.REGISTRY, LifecycleReason.HEARTBEAT_TIMEOUT, LATE));
    }

    @Test
    void a_new_registration_keeps_the_end_before_as_the_previous_one() {
        Pulse ended = Pulses.active()
                .withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, LATE)
                .ended(EndedBy.OPERATOR, LifecycleReason.DEREGISTERED);
        assertThat(ended.previousEnd()).isEqualTo(LastEnd.NONE);
        Pulse again = RegistrationRule.again(
                ended, HeartbeatConfig.DEFAULT, 5, Coordination.NONE, Pulses.OWNER, LATE.plusSeconds(1));
        assertThat(again.end()).isEqualTo(LastEnd.NONE);
        assertThat(again.previousEnd()).isEqualTo(new LastEnd(EndedBy.OPERATOR, LifecycleReason.DEREGISTERED, LATE));
        assertThat(RegistrationRule.erased(ended, LATE.plusSeconds(2)).end())
                .as("a process of an erased agent is to stop too")
                .isEqualTo(ended.end());
    }

    @Test
    void an_agent_that_lives_has_not_ended() {
        assertThat(Pulses.active().previousEnd().isKnown()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pulses.active().ended(EndedBy.OWNER, LifecycleReason.DEREGISTERED));
    }
}
