package dev.agenthealth.model.registry.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which process takes over the id of a live one, and when. */
@Tag("R16-06")
class InstanceRuleTest {

    private static final HeartbeatConfig EVERY_MINUTE = new HeartbeatConfig(60, 120, 300);

    @ParameterizedTest(name = "''{1}'' after ''{0}''")
    @CsvSource({"'', '', false", "'', b, false", "a, '', false", "a, a, false", "a, A, true", "a, b, true"})
    void only_another_named_instance_waits(String running, String registering, boolean waits) {
        for (LifecycleStatus status :
                Set.of(LifecycleStatus.ACTIVE, LifecycleStatus.DRAINING, LifecycleStatus.UNHEALTHY)) {
            assertThat(InstanceRule.needsSilence(Pulses.in(status), running, registering))
                    .isEqualTo(waits);
        }
    }

    @ParameterizedTest
    @CsvSource({"HEARTBEAT, true", "PING, false", "PROBE, false", "CALL, false", "OUTCOME, false", "SPAN, false"})
    void a_sign_that_others_give_says_nothing_of_the_process(SeenBy last, boolean waits) {
        Pulse seen = Pulses.active().withHeartbeat(Heartbeat.ofRegistry(last), Pulses.T0.plusSeconds(30));
        assertThat(InstanceRule.needsSilence(seen, "a", "b")).isEqualTo(waits);
    }

    @Test
    void an_agent_that_sends_no_heartbeats_at_an_interval_is_replaced_at_once() {
        LifeSigns runs = new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.of(new FixedInterval(3600, 60)));
        LifeSigns none = new LifeSigns(LifeSigns.Mode.NONE, Optional.empty());
        for (LifeSigns signs : Set.of(runs, none)) {
            Pulse pulse = Pulses.active(EVERY_MINUTE.with(signs));
            assertThat(InstanceRule.needsSilence(pulse, "a", "b")).isFalse();
        }
    }

    @ParameterizedTest(name = "every {0} s, {1} ms after the last heartbeat")
    @CsvSource({
        // A clock of another host of the registry that is behind.
        "60, -2000, false, 10000",
        "60, 0, false, 10000",
        "60, 110000, false, 10000",
        "60, 110001, false, 9999",
        "60, 119999, false, 1",
        "60, 120000, true, 0",
        "60, 500000, true, 0",
        "1, 0, false, 2000",
        "12, 0, false, 5000",
        "3600, 0, false, 60000",
    })
    void two_intervals_are_silence_and_a_retry_comes_within_a_minute(
            int intervalSeconds, long millis, boolean silent, long retryMillis) {
        Pulse live = Pulses.active(new HeartbeatConfig(intervalSeconds, 2 * intervalSeconds, 4 * intervalSeconds));
        assertThat(InstanceRule.isSilent(
                        live, HeartbeatSchedule.AS_DECLARED, Pulses.NO_GRACE, Pulses.T0.plusMillis(millis)))
                .isEqualTo(silent);
        assertThat(InstanceRule.retryAfter(
                        live, HeartbeatSchedule.AS_DECLARED, Pulses.NO_GRACE, Pulses.T0.plusMillis(millis)))
                .isEqualTo(Duration.ofMillis(retryMillis));
    }

    @Test
    void silence_that_the_registry_could_not_observe_does_not_count() {
        Pulse live = Pulses.active(EVERY_MINUTE);
        assertThat(InstanceRule.isSilent(
                        live, HeartbeatSchedule.AS_DECLARED, Pulses.T0.plusSeconds(100), Pulses.T0.plusSeconds(219)))
                .isFalse();
        assertThat(InstanceRule.isSilent(
                        live, HeartbeatSchedule.AS_DECLARED, Pulses.T0.plusSeconds(100), Pulses.T0.plusSeconds(220)))
                .isTrue();
    }

    @Test
    void longer_intervals_that_the_deployment_asks_for_make_silence_longer() {
        HeartbeatSchedule doubled = new HeartbeatSchedule(200);
        Pulse live = Pulses.active(new HeartbeatConfig(60, 600, 1_200));
        assertThat(InstanceRule.isSilent(live, doubled, Pulses.NO_GRACE, Pulses.T0.plusSeconds(239)))
                .isFalse();
        assertThat(InstanceRule.isSilent(live, doubled, Pulses.NO_GRACE, Pulses.T0.plusSeconds(240)))
                .isTrue();
        Pulse strict = Pulses.active(EVERY_MINUTE);
        assertThat(InstanceRule.isSilent(strict, doubled, Pulses.NO_GRACE, Pulses.T0.plusSeconds(120)))
                .as("heartbeats come at least twice before the agent is unhealthy")
                .isTrue();
    }
}
