package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.AgentEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionTest {

    private static final Instant EARLIER = T0.minusMillis(300);

    static Stream<Transition> of_a_clock_that_is_behind() {
        Pulse unhealthy = Pulses.in(LifecycleStatus.UNHEALTHY);
        Pulse dead = Pulses.in(LifecycleStatus.DEAD);
        Pulse silent = RegistrationRule.first(
                        "silent",
                        HeartbeatConfig.DEFAULT,
                        5,
                        Coordination.NONE,
                        Pulses.OWNER,
                        T0.minus(Duration.ofDays(1)))
                .withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, T0);
        return Stream.of(
                HeartbeatRule.change(unhealthy, Heartbeat.BARE, EARLIER).orElseThrow(),
                HeartbeatRule.change(unhealthy, Pulses.heartbeat(true, 0, T0), EARLIER)
                        .orElseThrow(),
                HeartbeatTimeoutRule.due(silent, NO_GRACE, EARLIER).orElseThrow(),
                Transition.now(
                        dead,
                        RegistrationRule.again(
                                dead, HeartbeatConfig.DEFAULT, 5, Coordination.NONE, Pulses.OWNER, EARLIER),
                        LifecycleReason.RE_REGISTERED,
                        EARLIER));
    }

    @Test
    void only_the_end_of_a_process_that_registers_again_is_a_replacement() {
        Pulse active = Pulses.in(LifecycleStatus.ACTIVE);
        Pulse ended = active.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, T0);
        Pulse replaced = RegistrationRule.replaced(active, T0);
        assertThat(Transition.now(active, ended, LifecycleReason.DEREGISTERED, T0)
                        .isReplacement())
                .isFalse();
        assertThat(Transition.now(active, replaced, LifecycleReason.DEREGISTERED, T0)
                        .isReplacement())
                .isTrue();
        Pulse again = RegistrationRule.again(replaced, HeartbeatConfig.DEFAULT, 5, Coordination.NONE, Pulses.OWNER, T0);
        assertThat(Transition.now(replaced, again, LifecycleReason.RE_REGISTERED, T0)
                        .isReplacement())
                .isFalse();
        Pulse left = again.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, T0);
        assertThat(Transition.now(again, left, LifecycleReason.DEREGISTERED, T0).isReplacement())
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("of_a_clock_that_is_behind")
    void no_event_of_a_clock_that_is_behind_is_earlier_than_the_one_before(Transition transition) {
        Instant before = transition.before().statusSince();
        assertThat(before).isEqualTo(T0);
        assertThat(transition.after().statusSince()).isEqualTo(before);
        assertThat(AgentEvents.of(transition, "", List.of()))
                .allSatisfy(event -> assertThat(event.at()).isEqualTo(before));
    }
}
