package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.WireNamed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LifecycleWireNamesTest {

    @ParameterizedTest
    @Tag("R16-01")
    @CsvSource({
        "registering,  false, false",
        "active,       true,  false",
        "draining,     true,  false",
        "unhealthy,    true,  false",
        "dead,         false, true",
        "deregistered, false, true"
    })
    void a_status_has_the_wire_name_of_the_specification(String word, boolean monitored, boolean gone) {
        LifecycleStatus status = WireNamed.find(LifecycleStatus.class, word).orElseThrow();
        assertThat(status.wireName()).isEqualTo(word);
        assertThat(status.isMonitored()).isEqualTo(monitored);
        assertThat(status.hasEnded()).isEqualTo(gone);
    }

    @ParameterizedTest
    @Tag("R16-01")
    @ValueSource(strings = {"", "ACTIVE", "Active", " active", "alive", "healthy"})
    void other_names_are_no_status(String word) {
        assertThat(WireNamed.find(LifecycleStatus.class, word)).isEmpty();
    }

    @Test
    @Tag("R16-03")
    void the_reasons_of_events_are_these() {
        assertThat(LifecycleReason.values())
                .extracting(LifecycleReason::wireName)
                .containsExactlyInAnyOrder(
                        "registered",
                        "re_registered",
                        "heartbeat_timeout",
                        "heartbeat_resumed",
                        "drain_initiated",
                        "drain_completed",
                        "drain_timeout",
                        "deregistered");
    }

    @ParameterizedTest
    @Tag("R16-20")
    @EnumSource(LifecycleReason.class)
    void only_a_drain_that_ends_in_death_timed_out(LifecycleReason reason) {
        Pulse draining = Pulses.in(LifecycleStatus.DRAINING);
        Pulse dead = draining.withStatus(LifecycleStatus.DEAD, Drain.NONE, Pulses.T0);
        Pulse gone = draining.withStatus(LifecycleStatus.DEREGISTERED, Drain.NONE, Pulses.T0);
        boolean timeout = reason == LifecycleReason.DRAIN_TIMEOUT;
        assertThat(Transition.now(draining, dead, reason, Pulses.T0).isDrainTimeout())
                .isEqualTo(timeout);
        assertThat(Transition.now(draining, gone, reason, Pulses.T0).isDrainTimeout())
                .isFalse();
    }
}
