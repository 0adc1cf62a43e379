package dev.agenthealth.model.lifecycle;

import static dev.agenthealth.model.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DRAINING;
import static dev.agenthealth.model.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DrainRuleTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final Instant DEADLINE = T0.plus(TIMEOUT);

    @ParameterizedTest
    @Tag("R16-19")
    @Tag("R16-02")
    @EnumSource(LifecycleStatus.class)
    void a_drain_starts_from_active_or_unhealthy_only(LifecycleStatus status) {
        Pulse before = Pulses.in(status);
        Instant now = T0.plusSeconds(5);
        if (status == ACTIVE || status == LifecycleStatus.UNHEALTHY) {
            Transition start = DrainRule.start(before, TIMEOUT, false, now);
            assertThat(start)
                    .isEqualTo(new Transition(
                            before,
                            before.withStatus(DRAINING, new Drain(now.plus(TIMEOUT), TIMEOUT, false), now),
                            LifecycleReason.DRAIN_INITIATED,
                            now,
                            now));
            assertThat(start.isWarning()).isFalse();
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> DrainRule.start(before, TIMEOUT, false, now));
        }
    }

    @ParameterizedTest(name = "load {0}, {1} ms after the start: {2} {3}")
    @Tag("R16-19")
    @Tag("R16-20")
    @CsvSource({
        "0,       0, deregistered, drain_completed",
        "0,  119999, deregistered, drain_completed",
        "0,  120001, deregistered, drain_completed",
        "-1,      0, deregistered, drain_completed",
        "1,       0, '',           ''",
        "1,  119999, '',           ''",
        "1,  120000, '',           ''",
        "1,  120001, dead,         drain_timeout",
        "9, 9999999, dead,         drain_timeout"
    })
    void a_drain_ends_with_the_work_or_beyond_the_deadline(
            int load, long millis, String expectedStatus, String expectedReason) {
        var end = DrainRule.end(drainingWith(load), false, NO_GRACE, T0.plusMillis(millis));
        assertThat(end.map(t -> t.after().status().word()).orElse("")).isEqualTo(expectedStatus);
        assertThat(end.map(t -> t.reason().word()).orElse("")).isEqualTo(expectedReason);
    }

    @Test
    @Tag("R16-20")
    void death_by_deadline_names_the_deadline_and_warns_and_wants_a_clean_up() {
        Pulse draining = drainingWith(3);
        Instant now = DEADLINE.plusSeconds(31);
        Transition death = DrainRule.end(draining, false, NO_GRACE, now).orElseThrow();
        assertThat(death)
                .isEqualTo(new Transition(
                        draining,
                        draining.withOneMoreEvent().withStatus(DEAD, Drain.NONE, now),
                        LifecycleReason.DRAIN_TIMEOUT,
                        DEADLINE,
                        now));
        assertThat(death.isDrainTimeout()).isTrue();
        assertThat(death.isWarning()).isTrue();
        assertThat(death.after().cleanUpOf()).isEqualTo(draining.incarnation());
        assertThat(death.after().drain().isUnderWay()).isFalse();
    }

    @Test
    @Tag("R16-19")
    void a_completed_drain_is_no_warning_and_wants_a_clean_up() {
        Pulse draining = drainingWith(0);
        Instant now = T0.plusSeconds(31);
        Transition end = DrainRule.end(draining, false, NO_GRACE, now).orElseThrow();
        assertThat(end)
                .isEqualTo(new Transition(
                        draining,
                        draining.withStatus(DEREGISTERED, Drain.NONE, now),
                        LifecycleReason.DRAIN_COMPLETED,
                        now,
                        now));
        assertThat(end.isWarning()).isFalse();
        assertThat(end.after().cleanUpOf()).isEqualTo(draining.incarnation());
    }

    @ParameterizedTest
    @Tag("R16-19")
    @EnumSource(value = LifecycleStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "DRAINING")
    void an_agent_that_does_not_drain_ends_no_drain(LifecycleStatus status) {
        assertThat(DrainRule.end(Pulses.in(status), false, NO_GRACE, T0.plusSeconds(1_000_000)))
                .isEmpty();
    }

    @Test
    @Tag("R16-19")
    void the_last_heartbeat_about_work_ends_a_drain() {
        Pulse draining = drainingWith(2);
        assertThat(DrainRule.end(draining.withHeartbeat(Workload.NOT_REPORTED, T0), false, NO_GRACE, T0))
                .isEmpty();
        assertThat(DrainRule.end(draining.withHeartbeat(1, T0), false, NO_GRACE, T0))
                .isEmpty();
        assertThat(DrainRule.end(draining.withHeartbeat(0, T0), false, NO_GRACE, T0))
                .isPresent();
    }

    @ParameterizedTest(name = "held {0}, holds {1}, load {2}, {3} ms after the start: {4}")
    @Tag("R16-19")
    @Tag("R16-20")
    @Tag("R16-29")
    @CsvSource({
        "true,  true,  0,      0, ''",
        "true,  true,  7, 120000, ''",
        "true,  true,  0, 120001, dead",
        "true,  false, 7,      0, deregistered",
        "true,  false, 7, 120001, deregistered",
        "false, true,  0,      0, ''",
        "false, true,  0, 120001, dead",
        "false, false, 7, 120000, ''",
        "false, false, 7, 120001, dead",
        "false, false, 0, 120001, deregistered"
    })
    void leases_keep_a_drain_going_and_the_last_release_ends_it_whatever_load_is_reported(
            boolean held, boolean holds, int load, long millis, String expected) {
        Pulse draining = drainingWith(load, held);
        Instant now = T0.plusMillis(millis);
        var end = DrainRule.end(draining, holds, NO_GRACE, now);
        assertThat(end.map(t -> t.after().status().word()).orElse("")).isEqualTo(expected);
        assertThat(DrainRule.completion(draining, holds, now).isPresent()).isEqualTo(expected.equals("deregistered"));
        if (end.isPresent()) {
            assertThat(DrainRule.mayEnd(draining, NO_GRACE, now))
                    .as("what ends was found worth a look")
                    .isTrue();
        }
    }

    @Test
    @Tag("R16-29")
    void only_a_drain_that_may_end_is_worth_a_look_at_leases() {
        assertThat(DrainRule.mayEnd(drainingWith(3), NO_GRACE, DEADLINE)).isFalse();
        assertThat(DrainRule.mayEnd(drainingWith(0), NO_GRACE, T0)).isTrue();
        assertThat(DrainRule.mayEnd(drainingWith(3, true), NO_GRACE, T0)).isTrue();
        assertThat(DrainRule.mayEnd(drainingWith(3), NO_GRACE, DEADLINE.plusMillis(1)))
                .isTrue();
        for (LifecycleStatus status : LifecycleStatus.values()) {
            assertThat(DrainRule.mayEnd(Pulses.in(status), NO_GRACE, DEADLINE.plusSeconds(1)))
                    .isEqualTo(status == DRAINING);
        }
    }

    @ParameterizedTest(name = "grace {0} ms, now {1} ms after the deadline: over {2}")
    @Tag("R16-20")
    @CsvSource({
        "-90000,     0, false",
        "-90000,     1, true",
        "-60000,     1, false",
        "-60000, 30000, false",
        "-60000, 30001, true",
        "     0, 90000, false",
        "     0, 90001, true"
    })
    void after_an_outage_the_deadline_applies_after_the_grace_period(long grace, long late, boolean over) {
        Pulse draining = drainingWith(1);
        assertThat(DrainRule.isTimeOver(draining, DEADLINE.plusMillis(grace), DEADLINE.plusMillis(late)))
                .isEqualTo(over);
    }

    @Test
    @Tag("R16-14")
    void a_drain_that_begins_takes_the_command_with_it() {
        PendingDrain command = new PendingDrain("maintenance_window", Duration.ofSeconds(77));
        Pulse asked = Pulses.active().withPendingDrain(command);
        assertThat(asked.coordination().timeoutOfNextDrain()).isEqualTo(Duration.ofSeconds(77));
        Pulse draining = HeartbeatRule.change(asked, Pulses.heartbeat(true, 1, T0), false, T0)
                .orElseThrow()
                .after();
        assertThat(draining.drain().timeout()).isEqualTo(Duration.ofSeconds(77));
        assertThat(draining.coordination()).isEqualTo(Coordination.NONE);
    }

    @Test
    @Tag("R16-20")
    void no_drain_is_never_over() {
        assertThat(Drain.NONE.isUnderWay()).isFalse();
        assertThat(Drain.NONE.isOver(Instant.MAX)).isFalse();
        Drain drain = Drain.starting(T0, TIMEOUT, false);
        assertThat(drain.isUnderWay()).isTrue();
        assertThat(drain.deadline()).isEqualTo(DEADLINE);
        assertThat(drain.isOver(DEADLINE)).isFalse();
        assertThat(drain.isOver(DEADLINE.plusNanos(1))).isTrue();
    }

    @Test
    @Tag("R16-18")
    void a_drain_lasts_120_seconds_unless_said_otherwise_and_a_second_to_a_day_if_so() {
        assertThat(Drain.DEFAULT_TIMEOUT).isEqualTo(Duration.ofSeconds(120));
        assertThat(Drain.MIN_TIMEOUT_SECONDS).isEqualTo(1);
        assertThat(Drain.MAX_TIMEOUT_SECONDS).isEqualTo(86_400);
    }

    private static Pulse drainingWith(int load) {
        return drainingWith(load, false);
    }

    private static Pulse drainingWith(int load, boolean heldLeases) {
        Pulse active = Pulses.active();
        Workload workload = active.workload().withLoad(load);
        Pulse loaded = new Pulse(
                active.agentId(),
                active.status(),
                active.statusSince(),
                active.incarnation(),
                active.version(),
                active.heartbeatCount(),
                active.sequence(),
                active.lastHeartbeatAt(),
                active.config(),
                workload,
                active.owner(),
                active.drain(),
                active.cleanUpOf(),
                active.driftReportedAt(),
                active.coordination());
        return DrainRule.start(loaded, TIMEOUT, heldLeases, T0).after();
    }
}
