package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.ACTIVE;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEAD;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DEREGISTERED;
import static dev.agenthealth.model.registry.lifecycle.LifecycleStatus.DRAINING;
import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DrainRuleTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(120);
    private static final Instant DEADLINE = T0.plus(TIMEOUT);
    private static final PendingDrain COMMAND =
            new PendingDrain("maintenance", Duration.ofSeconds(77), "key_commander");

    @ParameterizedTest
    @Tag("R16-19")
    @Tag("R16-02")
    @EnumSource(LifecycleStatus.class)
    void a_drain_starts_from_active_or_unhealthy_only(LifecycleStatus status) {
        Pulse before = Pulses.in(status);
        Instant now = T0.plusSeconds(5);
        if (status == ACTIVE || status == LifecycleStatus.UNHEALTHY) {
            Transition start = DrainRule.start(before, TIMEOUT, "key_1", false, now);
            assertThat(start)
                    .isEqualTo(new Transition(
                            before,
                            before.withStatus(DRAINING, new Drain(now.plus(TIMEOUT), TIMEOUT, 0, "", "key_1"), now),
                            LifecycleReason.DRAIN_INITIATED,
                            now,
                            now));
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> DrainRule.start(before, TIMEOUT, "key_1", false, now));
        }
    }

    @ParameterizedTest(
            name =
                    "asked by the agent {0}, load {1}, tasks {2}, holds leases {3}, heartbeats since {4}: {5}, by the heartbeat {6}")
    @Tag("R16-19")
    @Tag("R16-29")
    @CsvSource({
        // The agent asked for it: no work is left.
        "true,   0, 0, false, 0, deregistered, false",
        "true,  -1, 0, false, 0, deregistered, false",
        "true,   0, 0, false, 1, deregistered, true",
        // Work is load, tasks, or a lease in force.
        "true,   1, 0, false, 0, '',           false",
        "true,   1, 0, false, 5, '',           false",
        "true,   0, 1, false, 5, '',           false",
        "true,  -1, 1, false, 5, '',           false",
        "true,   0, 0, true,  5, '',           false",
        "true,   3, 2, true,  5, '',           false",
        // Someone else asked for it: the answer to a heartbeat names it first.
        "false,  0, 0, false, 0, '',           false",
        "false, -1, 0, false, 0, '',           false",
        "false,  0, 0, false, 1, deregistered, false",
        "false,  0, 0, false, 2, deregistered, true",
        "false,  0, 0, true,  2, '',           false",
        "false,  1, 0, false, 2, '',           false",
        "false,  0, 1, false, 2, '',           false"
    })
    void a_drain_ends_when_no_work_is_left_and_the_agent_knows_of_it(
            boolean byAgent, int load, int tasks, boolean holds, int heartbeats, String expected, boolean byHeartbeat) {
        Pulse draining = draining(byAgent, load, tasks, heartbeats);
        var end = DrainRule.end(draining, holds, NO_GRACE, DEADLINE);
        assertThat(end.map(t -> t.after().status().wireName()).orElse("")).isEqualTo(expected);
        assertThat(end.map(t -> t.reason().wireName()).orElse("")).isEqualTo(end.isPresent() ? "drain_completed" : "");
        if (end.isPresent()) {
            assertThat(DrainRule.mayEnd(draining, NO_GRACE, DEADLINE))
                    .as("the sweep looks at its leases")
                    .isTrue();
        }
        if (heartbeats > 0) {
            assertThat(DrainRule.mayCompleteWithHeartbeat(draining) && !holds)
                    .as("the heartbeat that was just counted completes it")
                    .isEqualTo(byHeartbeat);
        }
    }

    @ParameterizedTest(name = "asked by the agent {0}, load {1}, tasks {2}, holds leases {3}, {4} ms late: {5}")
    @Tag("R16-20")
    @CsvSource({
        "true,  0, 0, false, 1, deregistered",
        "false, 0, 0, false, 0, ''",
        "false, 0, 0, false, 1, deregistered",
        "true,  1, 0, false, 0, ''",
        "true,  1, 0, false, 1, dead",
        "false, 1, 0, false, 1, dead",
        "true,  0, 1, false, 1, dead",
        "true,  0, 0, true,  0, ''",
        "true,  0, 0, true,  1, dead",
        "false, 9, 9, true, 9999999, dead"
    })
    void at_the_deadline_a_silent_agent_is_dead_if_work_is_left_and_else_deregistered(
            boolean byAgent, int load, int tasks, boolean holds, long millisLate, String expected) {
        Pulse draining = draining(byAgent, load, tasks, 0);
        Instant now = DEADLINE.plusMillis(millisLate);
        var end = DrainRule.end(draining, holds, NO_GRACE, now);
        assertThat(end.map(t -> t.after().status().wireName()).orElse("")).isEqualTo(expected);
        assertThat(end.map(t -> t.reason().wireName()).orElse(""))
                .isEqualTo(expected.equals("dead") ? "drain_timeout" : expected.isEmpty() ? "" : "drain_completed");
    }

    @ParameterizedTest(name = "load {0}, {1} tasks, holds leases {2}: {3} {4}")
    @Tag("R16-20")
    @CsvSource({
        "0, 0, false, deregistered, drain_completed",
        "2, 0, false, deregistered, drain_timeout",
        "0, 1, false, deregistered, drain_timeout",
        "0, 0, true,  dead,         drain_timeout",
        "2, 1, true,  dead,         drain_timeout"
    })
    void at_the_deadline_an_agent_that_sends_heartbeats_is_dead_only_if_it_holds_leases(
            int load, int tasks, boolean holds, String status, String reason) {
        Instant now = DEADLINE.plusMillis(1);
        Pulse draining = draining(false, load, tasks, 0);
        Instant heartbeatAt = now.minus(draining.config().unhealthyAfter());
        Pulse heard = draining.withHeartbeat(Pulses.heartbeat(load, tasks), heartbeatAt);
        Transition end = DrainRule.end(heard, holds, NO_GRACE, now).orElseThrow();
        assertThat(end.after().status().wireName()).isEqualTo(status);
        assertThat(end.reason().wireName()).isEqualTo(reason);
        assertThat(end.drain()).isEqualTo(draining.drain());
        assertThat(end.after().cleanUp().through()).isEqualTo(draining.incarnation());
        Transition later =
                DrainRule.end(heard, holds, NO_GRACE, now.plusMillis(1)).orElseThrow();
        assertThat(later.after().status().wireName())
                .as("once the agent is silent beyond its threshold")
                .isEqualTo(load + tasks > 0 || holds ? "dead" : "deregistered");
    }

    @Test
    @Tag("R16-20")
    void death_by_deadline_names_the_deadline_and_warns_and_wants_a_clean_up() {
        Pulse draining = draining(true, 3, 0, 0);
        Instant now = DEADLINE.plusSeconds(31);
        Transition death = DrainRule.end(draining, false, NO_GRACE, now).orElseThrow();
        assertThat(death)
                .isEqualTo(new Transition(
                        draining,
                        draining.withOneMoreEvent()
                                .withStatus(DEAD, Drain.NONE, now)
                                .ended(EndedBy.OWNER, LifecycleReason.DRAIN_TIMEOUT),
                        LifecycleReason.DRAIN_TIMEOUT,
                        DEADLINE,
                        now));
        assertThat(death.isDrainTimeout()).isTrue();
        assertThat(death.after().cleanUp().through()).isEqualTo(draining.incarnation());
        assertThat(death.after().drain().isUnderWay()).isFalse();
    }

    @Test
    @Tag("R16-19")
    void a_completed_drain_is_no_warning_and_wants_a_clean_up() {
        Pulse draining = draining(true, 0, 0, 0);
        Instant now = T0.plusSeconds(31);
        Transition end = DrainRule.end(draining, false, NO_GRACE, now).orElseThrow();
        assertThat(end)
                .isEqualTo(new Transition(
                        draining,
                        draining.withStatus(DEREGISTERED, Drain.NONE, now)
                                .ended(EndedBy.OWNER, LifecycleReason.DRAIN_COMPLETED),
                        LifecycleReason.DRAIN_COMPLETED,
                        now,
                        now));
        assertThat(end.after().cleanUp().through()).isEqualTo(draining.incarnation());
    }

    @ParameterizedTest
    @Tag("R16-19")
    @EnumSource(value = LifecycleStatus.class, mode = EnumSource.Mode.EXCLUDE, names = "DRAINING")
    void an_agent_that_does_not_drain_ends_no_drain(LifecycleStatus status) {
        Instant now = T0.plusSeconds(1_000_000);
        assertThat(DrainRule.end(Pulses.in(status), false, NO_GRACE, now)).isEmpty();
        assertThat(DrainRule.mayEnd(Pulses.in(status), NO_GRACE, now)).isFalse();
        assertThat(DrainRule.mayCompleteWithHeartbeat(Pulses.in(status))).isFalse();
    }

    @Test
    @Tag("R16-29")
    void only_a_drain_that_may_end_is_worth_a_look_at_leases() {
        assertThat(DrainRule.mayEnd(draining(true, 3, 0, 0), NO_GRACE, DEADLINE))
                .isFalse();
        assertThat(DrainRule.mayEnd(draining(false, 0, 0, 0), NO_GRACE, DEADLINE))
                .isFalse();
        assertThat(DrainRule.mayEnd(draining(true, 0, 0, 0), NO_GRACE, T0)).isTrue();
        assertThat(DrainRule.mayEnd(draining(false, 3, 0, 0), NO_GRACE, DEADLINE.plusMillis(1)))
                .isTrue();
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
        assertThat(DrainRule.isTimeOver(draining(true, 1, 0, 0), DEADLINE.plusMillis(grace), DEADLINE.plusMillis(late)))
                .isEqualTo(over);
    }

    @Test
    @Tag("R16-20")
    void a_drain_that_begins_after_the_start_of_the_grace_period_is_not_delayed_by_it() {
        Pulse draining = draining(true, 1, 0, 0);
        Instant late = DEADLINE.plusMillis(1);
        assertThat(DrainRule.isTimeOver(draining, T0.minusMillis(1), late)).isTrue();
        Pulse slow = Pulses.in(DRAINING, new HeartbeatConfig(60, 180, 600));
        assertThat(DrainRule.isTimeOver(slow, T0, late))
                .as("it began with the outage")
                .isFalse();
        assertThat(DrainRule.isTimeOver(slow, T0.minusMillis(1), late)).isTrue();
        Pulse moved = slow.withDrainRestarted(Duration.ofSeconds(2), true, T0.plusMillis(1));
        assertThat(DrainRule.isTimeOver(moved, T0, T0.plusMillis(2_002)))
                .as("its deadline was moved after the outage")
                .isTrue();
    }

    @ParameterizedTest(name = "command pending {0}, asked by the agent {1}: reason {2}, requested by {3}")
    @Tag("R16-14")
    @CsvSource({
        "false, true,  '',          key_1",
        "false, false, '',          key_1",
        "true,  true,  maintenance, key_commander",
        "true,  false, maintenance, key_1"
    })
    void a_drain_carries_its_reason_and_who_requested_it(
            boolean pending, boolean byAgent, String reason, String requestedBy) {
        Pulse before = Pulses.active().withPendingDrain(pending ? COMMAND : PendingDrain.NONE);
        Transition start = DrainRule.start(before, TIMEOUT, "key_1", byAgent, T0);
        Drain drain = start.after().drain();
        assertThat(drain.reason()).isEqualTo(reason);
        assertThat(drain.requestedBy()).isEqualTo(requestedBy);
        assertThat(start.drain()).isEqualTo(drain);
        Pulse draining = start.after();
        assertThat(DrainRule.completion(draining, T0).drain()).isEqualTo(drain);
        assertThat(DrainRule.end(draining, true, NO_GRACE, DEADLINE.plusSeconds(1))
                        .orElseThrow()
                        .drain())
                .isEqualTo(drain);
    }

    @Test
    @Tag("R16-14")
    void a_drain_that_begins_takes_the_command_with_it() {
        Pulse asked = Pulses.active().withPendingDrain(COMMAND);
        assertThat(asked.coordination().timeoutOfNextDrain()).isEqualTo(Duration.ofSeconds(77));
        Pulse draining = HeartbeatRule.change(asked, Pulses.heartbeat(true, 1, T0), T0)
                .orElseThrow()
                .after();
        assertThat(draining.drain())
                .isEqualTo(new Drain(
                        T0.plusSeconds(77),
                        Duration.ofSeconds(77),
                        Drain.ASKED_BY_AGENT,
                        "maintenance",
                        "key_commander"));
        assertThat(draining.coordination()).isEqualTo(Coordination.NONE);
    }

    @Test
    @Tag("R16-18")
    void a_moved_deadline_counts_from_now_and_keeps_who_asked_and_why() {
        Pulse draining = DrainRule.start(Pulses.active().withPendingDrain(COMMAND), TIMEOUT, "key_1", false, T0)
                .after();
        Instant now = T0.plusSeconds(100);
        Pulse moved = draining.withDrainRestarted(Duration.ofSeconds(30), false, now);
        assertThat(moved.drain())
                .isEqualTo(new Drain(now.plusSeconds(30), Duration.ofSeconds(30), 0, "maintenance", "key_1"));
        assertThat(moved.version()).isEqualTo(draining.version() + 1);
        assertThat(moved.sequence()).isEqualTo(draining.sequence());
        assertThat(moved.statusSince()).isEqualTo(T0);
        assertThat(moved.drain().countedFrom()).isEqualTo(now);
        assertThat(draining.withDrainRestarted(TIMEOUT, true, now).drain().isKnownAfter(0))
                .as("an agent that moves the deadline knows of the drain")
                .isTrue();
    }

    @Test
    @Tag("R16-20")
    void no_drain_is_never_over() {
        assertThat(Drain.NONE.isUnderWay()).isFalse();
        assertThat(Drain.NONE.isOver(Instant.MAX)).isFalse();
        Drain drain = Pulses.drain(TIMEOUT);
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

    /** An agent that drains since {@link Pulses#T0}, with heartbeats before and since then. */
    private static Pulse draining(boolean byAgent, int load, int tasks, int heartbeats) {
        Pulse active = Pulses.afterHeartbeat(Pulses.active(), T0).withHeartbeat(Pulses.heartbeat(load, tasks), T0);
        Pulse draining = DrainRule.start(active, TIMEOUT, "key_1", byAgent, T0).after();
        return IntStream.range(0, heartbeats)
                .boxed()
                .reduce(draining, (pulse, i) -> pulse.withHeartbeat(Pulses.heartbeat(load, tasks), T0), (a, b) -> b);
    }

    @Test
    void a_pending_drain_that_restarts_is_a_command_of_its_own() {
        assertThat(new PendingDrain("r", Duration.ofSeconds(5), "key_1", true).command())
                .isEqualTo("restart");
        assertThat(new PendingDrain("r", Duration.ofSeconds(5), "key_1").command())
                .isEqualTo("drain");
    }
}
