package dev.agenthealth.model.lifecycle;

import static dev.agenthealth.model.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.lifecycle.LifecycleStatus.DRAINING;
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
            Transition start = DrainRule.start(before, TIMEOUT, now);
            assertThat(start)
                    .isEqualTo(new Transition(
                            before,
                            before.in(DRAINING, new Drain(now.plus(TIMEOUT), TIMEOUT), now),
                            LifecycleReason.DRAIN_INITIATED,
                            now,
                            now));
            assertThat(start.isWarning()).isFalse();
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> DrainRule.start(before, TIMEOUT, now));
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
        var end = DrainRule.end(drainingWith(load), T0.plusMillis(millis));
        assertThat(end.map(t -> t.after().status().word()).orElse("")).isEqualTo(expectedStatus);
        assertThat(end.map(t -> t.reason().word()).orElse("")).isEqualTo(expectedReason);
    }

    @Test
    @Tag("R16-20")
    void death_by_deadline_names_the_deadline_and_warns_and_wants_a_clean_up() {
        Pulse draining = drainingWith(3);
        Instant now = DEADLINE.plusSeconds(31);
        Transition death = DrainRule.end(draining, now).orElseThrow();
        assertThat(death)
                .isEqualTo(new Transition(
                        draining,
                        draining.withOneMoreEvent().in(DEAD, Drain.NONE, now),
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
        Transition end = DrainRule.end(draining, now).orElseThrow();
        assertThat(end)
                .isEqualTo(new Transition(
                        draining,
                        draining.in(DEREGISTERED, Drain.NONE, now),
                        LifecycleReason.DRAIN_COMPLETED,
                        now,
                        now));
        assertThat(end.isWarning()).isFalse();
        assertThat(end.after().cleanUpOf()).isEqualTo(draining.incarnation());
    }

    @ParameterizedTest
    @Tag("R16-19")
    @EnumSource(value = LifecycleStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "DRAINING")
    void who_does_not_drain_does_not_end_a_drain(LifecycleStatus status) {
        assertThat(DrainRule.end(Pulses.in(status), T0.plusSeconds(1_000_000))).isEmpty();
    }

    @Test
    @Tag("R16-19")
    void the_last_heartbeat_about_work_ends_a_drain() {
        Pulse draining = drainingWith(2);
        assertThat(DrainRule.end(draining.beaten(Workload.NOT_REPORTED, T0), T0))
                .isEmpty();
        assertThat(DrainRule.end(draining.beaten(1, T0), T0)).isEmpty();
        assertThat(DrainRule.end(draining.beaten(0, T0), T0)).isPresent();
    }

    @Test
    @Tag("R16-20")
    void no_drain_is_never_over() {
        assertThat(Drain.NONE.isUnderWay()).isFalse();
        assertThat(Drain.NONE.isOver(Instant.MAX)).isFalse();
        Drain drain = Drain.starting(T0, TIMEOUT);
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
        Pulse active = Pulses.active();
        Workload workload = active.workload().withLoad(load);
        Pulse loaded = new Pulse(
                active.agentId(),
                active.status(),
                active.statusSince(),
                active.incarnation(),
                active.version(),
                active.beats(),
                active.sequence(),
                active.lastHeartbeatAt(),
                active.config(),
                workload,
                active.credential(),
                active.drain(),
                active.cleanUpOf(),
                active.driftReportedAt());
        return DrainRule.start(loaded, TIMEOUT, T0).after();
    }
}
