package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.UNHEALTHY;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HeartbeatRuleTest {

    private static final Instant NOW = T0.plusSeconds(100);
    private static final Duration TIMEOUT = Drain.DEFAULT_TIMEOUT;

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, 0", "1, 1", "7200000, 7200000", "7200001, 0"})
    @Tag("R16-15")
    void a_heartbeat_that_others_overtook_takes_nothing_back(long lastMillis, long heardMillis) {
        assertThat(HeartbeatRule.heardAt(NOW.plusMillis(lastMillis), NOW)).isEqualTo(NOW.plusMillis(heardMillis));
    }

    @Test
    @Tag("R16-11")
    void an_active_agent_that_says_active_is_merely_counted() {
        assertThat(change(ACTIVE, false)).isEmpty();
    }

    @Test
    @Tag("R16-12")
    void an_unhealthy_agent_that_says_active_recovers() {
        Pulse before = Pulses.in(UNHEALTHY);
        Transition recovery = change(UNHEALTHY, false).orElseThrow();
        assertThat(recovery)
                .isEqualTo(new Transition(
                        before,
                        before.withHeartbeat(Pulses.heartbeat(false, 2, NOW), NOW)
                                .withStatus(ACTIVE, Drain.NONE, NOW),
                        LifecycleReason.HEARTBEAT_RESUMED,
                        NOW,
                        NOW));
        assertThat(recovery.after().lastHeartbeatAt()).isEqualTo(NOW);
        assertThat(recovery.after().heartbeatCount()).isEqualTo(before.heartbeatCount() + 1);
        assertThat(recovery.after().workload().load()).isEqualTo(2);
    }

    @Test
    @Tag("R16-12")
    @Tag("R16-15")
    void an_agent_that_recovered_is_silent_again_only_after_the_whole_threshold() {
        Pulse recovered = change(UNHEALTHY, false).orElseThrow().after();
        assertThat(HeartbeatTimeoutRule.due(recovered, Pulses.NO_GRACE, NOW.plusSeconds(90)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.due(recovered, Pulses.NO_GRACE, NOW.plusMillis(90_001)))
                .isPresent();
    }

    @ParameterizedTest
    @Tag("R16-14")
    @Tag("R16-19")
    @CsvSource({"ACTIVE", "UNHEALTHY"})
    void an_agent_that_says_draining_starts_its_drain_in_one_step(LifecycleStatus status) {
        Pulse before = Pulses.in(status);
        Transition start = change(status, true).orElseThrow();
        assertThat(start)
                .isEqualTo(new Transition(
                        before,
                        before.withHeartbeat(Pulses.heartbeat(true, 2, NOW), NOW)
                                .withStatus(
                                        DRAINING,
                                        new Drain(
                                                NOW.plus(TIMEOUT),
                                                TIMEOUT,
                                                Drain.ASKED_BY_AGENT,
                                                "",
                                                before.owner().keyId()),
                                        NOW),
                        LifecycleReason.DRAIN_INITIATED,
                        NOW,
                        NOW));
        assertThat(start.after().version()).isEqualTo(before.version() + 1);
        assertThat(start.after().sequence()).isEqualTo(before.sequence() + 1);
        assertThat(start.after().heartbeatCount()).isEqualTo(before.heartbeatCount() + 1);
    }

    @ParameterizedTest
    @Tag("R16-19")
    @CsvSource({"false", "true"})
    void a_drain_is_neither_undone_nor_begun_again_by_a_heartbeat(boolean saysDraining) {
        assertThat(change(DRAINING, saysDraining)).isEmpty();
    }

    @ParameterizedTest
    @Tag("R16-13")
    @CsvSource({
        "DEAD, false",
        "DEAD, true",
        "DEREGISTERED, false",
        "DEREGISTERED, true",
        "REGISTERING, false",
        "REGISTERING, true"
    })
    void a_heartbeat_of_an_agent_that_is_gone_is_refused(LifecycleStatus status, boolean saysDraining) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> change(status, saysDraining))
                .withMessageContaining(status.wireName());
    }

    @ParameterizedTest(name = "interval {0} s, agent''s clock off by {1} ms: drifting {2}")
    @Tag("R16-16")
    @CsvSource({
        "30,      0, false",
        "30,  59999, false",
        "30,  60000, false",
        "30,  60001, true",
        "30, -59999, false",
        "30, -60000, false",
        "30, -60001, true",
        "1,    2000, false",
        "1,    2001, true",
        "1,   -2000, false",
        "1,   -2001, true",
        "86400,  172800000, false",
        "86400, -172800001, true"
    })
    void the_clock_drifts_beyond_twice_the_interval_in_either_direction(
            int interval, long offMillis, boolean drifting) {
        HeartbeatConfig config = new HeartbeatConfig(interval, 2 * interval, 4 * interval);
        Heartbeat heartbeat = Pulses.heartbeat(false, 0, NOW.plusMillis(offMillis));
        assertThat(HeartbeatRule.isDrifting(heartbeat, config, NOW)).isEqualTo(drifting);
        assertThat(HeartbeatRule.drift(heartbeat, NOW)).isEqualTo(Duration.ofMillis(offMillis));
    }

    @ParameterizedTest
    @Tag("R16-16")
    @MethodSource("extremes")
    void the_strangest_clock_is_a_drift_and_no_error(Instant clientTimestamp) {
        Heartbeat heartbeat = Pulses.heartbeat(false, 0, clientTimestamp);
        assertThat(HeartbeatRule.isDrifting(heartbeat, HeartbeatConfig.DEFAULT, NOW))
                .isTrue();
    }

    static Stream<Instant> extremes() {
        return Stream.of(Instant.MIN.plusMillis(1), Instant.EPOCH, Instant.MAX);
    }

    @Test
    @Tag("R16-16")
    void a_clock_whose_time_is_unknown_does_not_drift() {
        assertThat(HeartbeatRule.drift(Heartbeat.BARE, NOW)).isZero();
        assertThat(HeartbeatRule.isDrifting(Heartbeat.BARE, HeartbeatConfig.DEFAULT, NOW))
                .isFalse();
    }

    @ParameterizedTest
    @Tag("R16-16")
    @Tag("R16-15")
    @MethodSource("statusesAndClocks")
    void the_agents_clock_has_no_influence_on_any_decision(
            LifecycleStatus status, boolean draining, Instant clientTimestamp) {
        Pulse pulse = Pulses.in(status);
        var right = HeartbeatRule.change(pulse, Pulses.heartbeat(draining, 2, NOW), NOW);
        var wrong = HeartbeatRule.change(pulse, Pulses.heartbeat(draining, 2, clientTimestamp), NOW);
        assertThat(wrong).isEqualTo(right);
    }

    static Stream<Arguments> statusesAndClocks() {
        return LifecycleStatus.MONITORED.stream().flatMap(status -> Stream.of(true, false)
                .flatMap(draining -> extremes().map(clock -> Arguments.of(status, draining, clock))));
    }

    @Test
    @Tag("R16-10")
    void a_heartbeat_keeps_its_own_copy_of_the_tasks() {
        List<String> tasks = new ArrayList<>(List.of("task_1"));
        Heartbeat heartbeat = new Heartbeat(false, 1, true, tasks, NOW, ProcessStart.UNKNOWN, Pulse.ANY_INCARNATION);
        tasks.add("task_2");
        assertThat(heartbeat.tasks()).containsExactly("task_1").isUnmodifiable();
    }

    private static Optional<Transition> change(LifecycleStatus status, boolean saysDraining) {
        return HeartbeatRule.change(Pulses.in(status), Pulses.heartbeat(saysDraining, 2, NOW), NOW);
    }
}
