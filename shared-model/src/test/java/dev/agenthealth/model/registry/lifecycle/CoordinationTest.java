package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R16-14")
class CoordinationTest {

    private static final Coordination SLOW =
            new Coordination(7, Duration.ofSeconds(600), PendingDrain.NONE, Instant.EPOCH);
    private static final PendingDrain COMMAND = new PendingDrain("maintenance_window", Duration.ofSeconds(33), "key_1");

    @Test
    void a_drain_lasts_as_long_as_the_command_says_else_as_the_agent_s_own_default() {
        assertThat(Coordination.NONE.timeoutOfNextDrain()).isEqualTo(Drain.DEFAULT_TIMEOUT);
        assertThat(SLOW.timeoutOfNextDrain()).isEqualTo(Duration.ofSeconds(600));
        assertThat(SLOW.withPendingDrain(COMMAND).timeoutOfNextDrain()).isEqualTo(Duration.ofSeconds(33));
        assertThat(SLOW.withPendingDrain(COMMAND).withPendingDrain(PendingDrain.NONE))
                .isEqualTo(SLOW);
    }

    @Test
    void only_a_drain_with_a_time_is_pending() {
        assertThat(PendingDrain.NONE.isPending()).isFalse();
        assertThat(COMMAND.isPending()).isTrue();
        assertThat(new PendingDrain("", Duration.ofSeconds(1), "").isPending()).isTrue();
    }

    @Test
    void a_command_lasts_until_the_agent_drains_or_is_gone() {
        Pulse asked = Pulses.active().withPendingDrain(COMMAND);
        assertThat(Pulses.afterHeartbeat(asked, Pulses.T0).coordination().pendingDrain())
                .isEqualTo(COMMAND);
        assertThat(asked.reconfigured(HeartbeatConfig.DEFAULT, 1).coordination().pendingDrain())
                .isEqualTo(COMMAND);
        Pulse ailing = asked.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, Pulses.T0);
        assertThat(ailing.coordination().pendingDrain()).isEqualTo(COMMAND);
        for (LifecycleStatus end :
                EnumSet.of(LifecycleStatus.DRAINING, LifecycleStatus.DEAD, LifecycleStatus.DEREGISTERED)) {
            assertThat(ailing.withStatus(end, Drain.NONE, Pulses.T0)
                            .coordination()
                            .pendingDrain())
                    .isEqualTo(PendingDrain.NONE);
        }
    }

    @Test
    void asking_is_no_change_of_the_agent_s_version_or_events() {
        Pulse asked = Pulses.active().withPendingDrain(COMMAND);
        assertThat(asked)
                .usingRecursiveComparison()
                .ignoringFields("terms.coordination")
                .isEqualTo(Pulses.active());
    }
}
