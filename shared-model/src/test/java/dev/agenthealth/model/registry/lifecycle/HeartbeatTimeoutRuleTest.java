package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.UNHEALTHY;
import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("R16-15")
class HeartbeatTimeoutRuleTest {

    private static final HeartbeatConfig FAST = new HeartbeatConfig(1, 2, 4);

    @ParameterizedTest(name = "{0}, silent for {1} ms: {2}")
    @CsvSource({
        // the default thresholds, 90 s and 300 s: exactly is not beyond
        "ACTIVE,           0, ''",
        "ACTIVE,       89999, ''",
        "ACTIVE,       90000, ''",
        "ACTIVE,       90001, UNHEALTHY",
        "ACTIVE,      300000, UNHEALTHY",
        "ACTIVE,      300001, UNHEALTHY",
        "ACTIVE,    86400000, UNHEALTHY",
        "UNHEALTHY,        0, ''",
        "UNHEALTHY,    90001, ''",
        "UNHEALTHY,   299999, ''",
        "UNHEALTHY,   300000, ''",
        "UNHEALTHY,   300001, DEAD",
        "UNHEALTHY, 86400000, DEAD",
        // A draining agent has its deadline, and one that is gone has no silence.
        "DRAINING,    300001, ''",
        "DRAINING,  86400000, ''",
        "DEAD,      86400000, ''",
        "DEREGISTERED, 86400000, ''",
        "REGISTERING,  86400000, ''"
    })
    void due_is_what_the_status_and_the_strict_thresholds_say(LifecycleStatus status, long silentMillis, String next) {
        Pulse pulse = Pulses.in(status);
        var due = HeartbeatTimeoutRule.due(pulse, NO_GRACE, T0.plusMillis(silentMillis));
        assertThat(due.map(t -> t.after().status().name()).orElse("")).isEqualTo(next);
    }

    @Test
    void thresholds_are_the_agents_own() {
        Pulse pulse = Pulses.active(FAST);
        assertThat(HeartbeatTimeoutRule.due(pulse, NO_GRACE, T0.plusMillis(2_000)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.due(pulse, NO_GRACE, T0.plusMillis(2_001)))
                .isPresent();
        assertThat(HeartbeatTimeoutRule.isDying(pulse, NO_GRACE, T0.plusMillis(4_000)))
                .isFalse();
        assertThat(HeartbeatTimeoutRule.isDying(pulse, NO_GRACE, T0.plusMillis(4_001)))
                .isTrue();
    }

    @Test
    void becoming_unhealthy_names_the_moment_of_the_threshold_and_the_moment_it_was_seen() {
        Pulse pulse = Pulses.active();
        Instant now = T0.plusSeconds(137);
        Transition step = HeartbeatTimeoutRule.due(pulse, NO_GRACE, now).orElseThrow();
        assertThat(step)
                .isEqualTo(new Transition(
                        pulse,
                        pulse.withStatus(UNHEALTHY, Drain.NONE, now),
                        LifecycleReason.HEARTBEAT_TIMEOUT,
                        T0.plusSeconds(90),
                        now));
        assertThat(step.isDrainTimeout()).isFalse();
    }

    @Test
    void an_active_agent_silent_beyond_both_thresholds_is_dead_in_two_steps_with_two_moments() {
        Pulse active = Pulses.active();
        Instant now = T0.plusSeconds(1_000);
        assertThat(HeartbeatTimeoutRule.isDying(active, NO_GRACE, now)).isTrue();

        Transition first = HeartbeatTimeoutRule.due(active, NO_GRACE, now).orElseThrow();
        Transition second =
                HeartbeatTimeoutRule.due(first.after(), NO_GRACE, now).orElseThrow();

        assertThat(first.after().status()).isEqualTo(UNHEALTHY);
        assertThat(first.dueAt()).isEqualTo(T0.plusSeconds(90));
        assertThat(first.detectedAt()).isEqualTo(now);
        assertThat(second.before()).isEqualTo(first.after());
        assertThat(second.after().status()).isEqualTo(DEAD);
        assertThat(second.dueAt()).isEqualTo(T0.plusSeconds(300));
        assertThat(second.detectedAt()).isEqualTo(now);
        assertThat(second.reason()).isEqualTo(LifecycleReason.HEARTBEAT_TIMEOUT);
        assertThat(second.after().sequence()).isEqualTo(active.sequence() + 2);
        assertThat(second.after().cleanUp().through()).isEqualTo(active.incarnation());
        assertThat(HeartbeatTimeoutRule.due(second.after(), NO_GRACE, now)).isEmpty();
    }

    @Test
    void becoming_unhealthy_does_not_restart_the_silence() {
        Transition step = HeartbeatTimeoutRule.due(Pulses.active(), NO_GRACE, T0.plusSeconds(200))
                .orElseThrow();
        assertThat(HeartbeatTimeoutRule.due(step.after(), NO_GRACE, T0.plusMillis(300_000)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.due(step.after(), NO_GRACE, T0.plusMillis(300_001)))
                .isPresent();
    }

    @Test
    @Tag("R16-11")
    void a_heartbeat_resets_the_silence() {
        Pulse beaten = Pulses.afterHeartbeat(Pulses.active(), T0.plusSeconds(60));
        assertThat(HeartbeatTimeoutRule.due(beaten, NO_GRACE, T0.plusSeconds(150)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.due(
                        beaten, NO_GRACE, T0.plusSeconds(150).plusMillis(1)))
                .isPresent();
    }

    @ParameterizedTest(name = "heartbeat at {0} s, grace from {1} s: unhealthy after {2} s")
    @CsvSource({"0, -1, 90", "0, 0, 90", "0, 40, 130", "40, 10, 130", "0, 100, 190", "120, -1, 210"})
    void silence_counts_from_the_last_heartbeat_or_the_grace_period_whichever_is_later(
            long heartbeat, long grace, long unhealthyAfter) {
        Pulse pulse = Pulses.afterHeartbeat(Pulses.active(), T0.plusSeconds(heartbeat));
        Instant graceFrom = T0.plusSeconds(grace);
        assertThat(HeartbeatTimeoutRule.isSilent(pulse, graceFrom, T0.plusSeconds(unhealthyAfter)))
                .isFalse();
        assertThat(HeartbeatTimeoutRule.isSilent(
                        pulse, graceFrom, T0.plusSeconds(unhealthyAfter).plusMillis(1)))
                .isTrue();
    }

    @ParameterizedTest(name = "every hour with 10 min of grace, {0}, {1} ms after the last sign of life: {2}")
    @CsvSource({
        "ACTIVE,    3600000, ''",
        "ACTIVE,    4200000, ''",
        "ACTIVE,    4200001, UNHEALTHY",
        "UNHEALTHY, 4500000, ''",
        "UNHEALTHY, 4500001, DEAD",
        "DRAINING,  4500001, ''",
    })
    void an_overdue_run_makes_unhealthy_after_the_grace_and_dead_after_the_threshold_beyond_it(
            LifecycleStatus status, long millis, String next) {
        Pulse pulse = Pulses.in(status).reconfigured(hourly(), 0);
        var due = HeartbeatTimeoutRule.due(pulse, NO_GRACE, T0.plusMillis(millis));
        assertThat(due.map(t -> t.after().status().name()).orElse("")).isEqualTo(next);
        due.ifPresent(change -> assertThat(change.expectedAt()).contains(T0.plusSeconds(3_600)));
    }

    @Test
    void a_run_whose_sign_of_life_an_outage_may_have_lost_is_not_expected() {
        Pulse pulse = Pulses.active().reconfigured(hourly(), 0);
        Instant graceFrom = T0.plusSeconds(3_700);
        assertThat(HeartbeatTimeoutRule.due(pulse, graceFrom, T0.plusSeconds(3_700 + 4_200)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.due(pulse, graceFrom, T0.plusSeconds(3_700 + 4_201)))
                .isPresent();
    }

    @ParameterizedTest
    @EnumSource(LifecycleStatus.class)
    void silence_is_no_fault_of_an_agent_without_heartbeats(LifecycleStatus status) {
        LifeSigns none = new LifeSigns(LifeSigns.Mode.NONE, Optional.empty());
        Pulse pulse = Pulses.in(status).reconfigured(HeartbeatConfig.DEFAULT.with(none), 0);
        Instant later = T0.plus(Duration.ofDays(3_650));
        assertThat(HeartbeatTimeoutRule.isSilent(pulse, NO_GRACE, later)).isFalse();
        assertThat(HeartbeatTimeoutRule.isDying(pulse, NO_GRACE, later)).isFalse();
        assertThat(HeartbeatTimeoutRule.due(pulse, NO_GRACE, later)).isEmpty();
    }

    private static HeartbeatConfig hourly() {
        return HeartbeatConfig.DEFAULT.with(
                new LifeSigns(LifeSigns.Mode.HEARTBEATS, Optional.of(new FixedInterval(3_600, 600))));
    }

    @Test
    void a_grace_period_moves_both_thresholds_and_their_times() {
        Instant grace = T0.plusSeconds(1_000);
        Pulse active = Pulses.active();
        assertThat(HeartbeatTimeoutRule.due(active, grace, grace.plusMillis(90_000)))
                .isEmpty();
        Transition first = HeartbeatTimeoutRule.due(active, grace, grace.plusMillis(90_001))
                .orElseThrow();
        assertThat(first.dueAt()).isEqualTo(grace.plusSeconds(90));

        Pulse unhealthy = Pulses.in(UNHEALTHY);
        assertThat(HeartbeatTimeoutRule.due(unhealthy, grace, grace.plusMillis(300_000)))
                .isEmpty();
        Transition death = HeartbeatTimeoutRule.due(unhealthy, grace, grace.plusMillis(300_001))
                .orElseThrow();
        assertThat(death.dueAt()).isEqualTo(grace.plusSeconds(300));
    }

    @Test
    void a_grace_period_does_not_recover_unhealthy_agents() {
        Pulse unhealthy = Pulses.in(UNHEALTHY);
        assertThat(HeartbeatTimeoutRule.due(unhealthy, T0.plusSeconds(200), T0.plusSeconds(200)))
                .isEmpty();
        assertThat(unhealthy.status()).isEqualTo(UNHEALTHY);
    }

    @Test
    void a_grace_period_in_the_future_makes_no_agent_silent() {
        assertThat(HeartbeatTimeoutRule.due(Pulses.active(), T0.plusSeconds(9_000), T0.plusSeconds(1_000)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.isSilent(Pulses.active(), T0.plusSeconds(9_000), T0.plusSeconds(1_000)))
                .isFalse();
    }

    @Test
    void no_agent_is_silent_while_the_clock_goes_back() {
        Pulse pulse = Pulses.active();
        assertThat(HeartbeatTimeoutRule.isSilent(pulse, NO_GRACE, T0.minusSeconds(9_000)))
                .isFalse();
        assertThat(HeartbeatTimeoutRule.due(pulse, NO_GRACE, T0.minusSeconds(9_000)))
                .isEmpty();
        assertThat(HeartbeatTimeoutRule.due(Pulses.in(UNHEALTHY), NO_GRACE, T0.minusSeconds(9_000)))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LifecycleStatus.class)
    void silence_is_detected_in_every_status_but_changes_only_active_and_unhealthy(LifecycleStatus status) {
        Pulse pulse = Pulses.in(status);
        Instant now = T0.plusMillis(300_001);
        assertThat(HeartbeatTimeoutRule.isSilent(pulse, NO_GRACE, T0.plusMillis(90_000)))
                .isFalse();
        assertThat(HeartbeatTimeoutRule.isSilent(pulse, NO_GRACE, T0.plusMillis(90_001)))
                .isTrue();
        assertThat(HeartbeatTimeoutRule.isDying(pulse, NO_GRACE, T0.plusMillis(300_000)))
                .isFalse();
        assertThat(HeartbeatTimeoutRule.isDying(pulse, NO_GRACE, now))
                .isEqualTo(status == ACTIVE || status == UNHEALTHY);
    }

    @Test
    @Tag("R16-20")
    void a_silent_draining_agent_with_work_lives_until_its_deadline() {
        Pulse draining = Pulses.active()
                .withHeartbeat(Pulses.heartbeat(false, 3, T0), T0)
                .withStatus(DRAINING, Pulses.drain(Duration.ofSeconds(86_400)), T0);
        Instant now = T0.plusSeconds(86_400);
        assertThat(HeartbeatTimeoutRule.due(draining, NO_GRACE, now)).isEmpty();
        assertThat(DrainRule.end(draining, false, NO_GRACE, now)).isEmpty();
        assertThat(DrainRule.end(draining, false, NO_GRACE, now.plusMillis(1))
                        .map(t -> t.after().status()))
                .contains(DEAD);
    }
}
