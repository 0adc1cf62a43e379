package dev.agenthealth.model.registry.lifecycle;

import static dev.agenthealth.model.registry.lifecycle.Pulses.NO_GRACE;
import static dev.agenthealth.model.registry.lifecycle.Pulses.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Alive by its heartbeats, but without progress for longer than declared. */
class StallRuleTest {

    private static final HeartbeatConfig CONFIG =
            HeartbeatConfig.DEFAULT.with(new StallConfig(Map.of(Phase.MODEL, 60, Phase.TOOL, 900), false));
    private static final Pulse ACTIVE = Pulses.active(CONFIG);

    @ParameterizedTest
    @CsvSource({
        "MODEL,  60.000, NONE",
        "MODEL,  60.001, WARNING",
        "MODEL, 120.000, WARNING",
        "MODEL, 120.001, ERROR",
        "TOOL,  900.000, NONE",
        "TOOL,  900.001, WARNING",
        "TOOL, 1800.001, ERROR",
        "HUMAN,  999999, NONE",
        "OTHER,  999999, NONE",
    })
    void the_level_follows_from_phase_and_age(Phase phase, double seconds, StallLevel level) {
        assertThat(StallRule.level(after(ACTIVE, phase, seconds, T0.plusSeconds(3))))
                .isEqualTo(level);
    }

    @ParameterizedTest(
            name = "a span that ended {0} s after the heartbeat''s last progress, {1} s after the one that is stored")
    @CsvSource({"0, 99, false", "1, 29, false", "1, 30, true", "1, 99, true", "-1, 99, false", "900, 900, true"})
    void a_span_is_progress_that_ended_after_the_last_and_at_most_every_thirty_seconds(
            long afterReport, long afterStored, boolean expected) {
        Instant reportedAt = T0.plusSeconds(5_000);
        Instant endedAt = reportedAt.plusSeconds(afterReport);
        Pulse stalled = Pulses.withSpan(
                after(ACTIVE, Phase.TOOL, 950, reportedAt.plusSeconds(950)), endedAt.minusSeconds(afterStored));
        assertThat(StallRule.isProgress(stalled, endedAt)).isEqualTo(expected);
    }

    @Test
    void a_span_ends_a_stall_until_the_declared_time_has_passed_since_it_ended() {
        Instant now = T0.plusSeconds(5_000);
        Pulse stalled = after(ACTIVE, Phase.TOOL, 950, now);
        Pulse working = Pulses.withSpan(stalled, now.minusSeconds(10));
        assertThat(StallRule.isStalled(working)).isFalse();
        assertThat(working.activity().lastProgressAt()).isEqualTo(now.minusSeconds(10));
        assertThat(StallRule.isStalled(after(working, Phase.TOOL, 980, now.plusSeconds(30))))
                .as("the next heartbeat, which says the same, does not bring it back")
                .isFalse();
        assertThat(StallRule.isStalled(after(working, Phase.TOOL, 1_841, now.plusSeconds(891))))
                .isTrue();
    }

    @Test
    void without_a_task_or_a_declaration_nothing_is_judged() {
        assertThat(StallRule.level(ACTIVE)).isEqualTo(StallLevel.NONE);
        assertThat(StallRule.level(after(Pulses.active(), Phase.TOOL, 999_999, T0)))
                .isEqualTo(StallLevel.NONE);
    }

    @Test
    void a_stall_begins_when_the_declared_time_has_passed_since_the_last_progress() {
        Instant now = T0.plusSeconds(1_000);
        assertThat(StallRule.since(after(ACTIVE, Phase.TOOL, 950, now))).contains(now.minusSeconds(50));
        assertThat(StallRule.since(after(ACTIVE, Phase.TOOL, 850, now))).isEmpty();
    }

    @Test
    void a_heartbeat_without_activity_ends_the_stall() {
        Pulse stalled = after(ACTIVE, Phase.TOOL, 950, T0.plusSeconds(3));
        assertThat(StallRule.isStalled(stalled)).isTrue();
        assertThat(StallRule.isStalled(Pulses.afterHeartbeat(stalled, T0.plusSeconds(5))))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "true, ACTIVE, false, true",
        "false, ACTIVE, false, false",
        "true, DRAINING, false, false",
        "true, ACTIVE, true, false"
    })
    void a_stall_that_begins_asks_an_agent_to_restart_that_declares_it(
            boolean declared, LifecycleStatus status, boolean commanded, boolean asks) {
        HeartbeatConfig config =
                HeartbeatConfig.DEFAULT.with(new StallConfig(Map.of(Phase.TOOL, 900), false, declared));
        Instant now = T0.plusSeconds(1_000);
        Pulse pulse = after(Pulses.active(config), Phase.TOOL, 901, now);
        PendingDrain command = new PendingDrain("maintenance", Duration.ofSeconds(60), "key_1");
        Pulse seen = commanded ? pulse.withPendingDrain(command) : pulse;
        if (status == LifecycleStatus.DRAINING) {
            seen = DrainRule.start(seen, Duration.ofSeconds(60), "key_1", true, now)
                    .after();
        }
        Optional<StallChange> change = due(seen, now.plusSeconds(1));
        assertThat(change.map(StallChange::asksToRestart).orElse(false)).isEqualTo(asks);
        change.ifPresent(begun -> assertThat(begun.after().coordination().pendingDrain())
                .isEqualTo(
                        asks
                                ? new PendingDrain("stalled", Duration.ofSeconds(120), PendingDrain.REGISTRY, true)
                                : begun.before().coordination().pendingDrain()));
    }

    @Test
    void each_level_is_published_once_and_the_end_once() {
        Instant now = T0.plusSeconds(5_000);
        Pulse warned = published(after(ACTIVE, Phase.TOOL, 901, now), now);
        assertThat(warned.stall())
                .isEqualTo(new PublishedStall(StallLevel.WARNING, Phase.TOOL, now.minusSeconds(1), false, false));
        assertThat(due(after(warned, Phase.TOOL, 931, now.plusSeconds(30)), now.plusSeconds(31)))
                .isEmpty();
        Pulse worse = published(after(warned, Phase.TOOL, 1_801, now.plusSeconds(900)), now.plusSeconds(900));
        assertThat(worse.stall().level()).isEqualTo(StallLevel.ERROR);
        assertThat(due(after(worse, Phase.TOOL, 1_831, now.plusSeconds(930)), now.plusSeconds(931)))
                .isEmpty();
        Pulse progressed = after(worse, Phase.TOOL, 1, now.plusSeconds(930));
        StallChange over = due(progressed, now.plusSeconds(931)).orElseThrow();
        assertThat(over.isOver()).isTrue();
        assertThat(over.reason()).isEqualTo(StallChange.Reason.PROGRESS);
        assertThat(due(over.after(), now.plusSeconds(932))).isEmpty();
        assertThat(List.of(warned.sequence(), worse.sequence(), over.after().sequence()))
                .containsExactly(ACTIVE.sequence() + 1, ACTIVE.sequence() + 2, ACTIVE.sequence() + 3);
    }

    @Test
    void another_stall_ends_the_published_stall_and_begins_with_its_own_severity() {
        Instant now = T0.plusSeconds(5_000);
        Pulse worse = published(after(ACTIVE, Phase.TOOL, 1_801, now), now);
        Instant later = now.plusSeconds(1_000);
        Pulse another = after(worse, Phase.TOOL, 901, later);
        StallChange over = due(another, later).orElseThrow();
        assertThat(over.isOver()).isTrue();
        assertThat(over.reason()).isEqualTo(StallChange.Reason.PROGRESS);
        StallChange begun = due(over.after(), later).orElseThrow();
        assertThat(begun.after().stall())
                .isEqualTo(new PublishedStall(StallLevel.WARNING, Phase.TOOL, later.minusSeconds(1), false, false));
    }

    @Test
    void a_stall_that_outlives_the_problem_of_a_provider_is_published_again_and_once() {
        Instant now = T0.plusSeconds(5_000);
        Pulse part = StallRule.due(after(ACTIVE, Phase.TOOL, 901, now), NO_GRACE, true, now)
                .orElseThrow()
                .after();
        assertThat(part.stall().shared()).isTrue();
        Pulse later = after(part, Phase.TOOL, 931, now.plusSeconds(30));
        assertThat(StallRule.due(later, NO_GRACE, true, now.plusSeconds(31))).isEmpty();
        StallChange own = due(later, now.plusSeconds(31)).orElseThrow();
        assertThat(own.isOver()).isFalse();
        assertThat(own.after().stall())
                .isEqualTo(new PublishedStall(StallLevel.WARNING, Phase.TOOL, now.minusSeconds(1), false, false));
        assertThat(due(own.after(), now.plusSeconds(32))).isEmpty();
        assertThat(StallRule.due(own.after(), NO_GRACE, true, now.plusSeconds(32)))
                .isEmpty();
    }

    @Test
    void a_stall_beyond_twice_the_time_is_published_as_an_error_at_once() {
        Instant now = T0.plusSeconds(60);
        assertThat(published(after(ACTIVE, Phase.MODEL, 121, now), now).stall().level())
                .isEqualTo(StallLevel.ERROR);
    }

    @Test
    void a_stall_whose_task_ended_is_over() {
        Pulse warned = published(after(ACTIVE, Phase.TOOL, 901, T0.plusSeconds(1)), T0.plusSeconds(1));
        Pulse idle = Pulses.afterHeartbeat(warned, T0.plusSeconds(31));
        assertThat(due(idle, T0.plusSeconds(32)).orElseThrow().reason()).isEqualTo(StallChange.Reason.TASK_ENDED);
    }

    @Test
    void nothing_new_is_judged_of_a_silent_agent_and_during_the_grace_period() {
        Pulse stalled = after(ACTIVE, Phase.TOOL, 901, T0.plusSeconds(10));
        assertThat(due(stalled, T0.plusSeconds(100))).isPresent();
        assertThat(due(stalled, T0.plusSeconds(101))).isEmpty();
        assertThat(StallRule.due(stalled, T0.plusSeconds(10), false, T0.plusSeconds(11)))
                .isEmpty();
        assertThat(StallRule.due(stalled, T0.plusSeconds(9), false, T0.plusSeconds(11)))
                .isPresent();
        Pulse silent = stalled.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, T0.plusSeconds(11));
        assertThat(due(silent, T0.plusSeconds(12))).isEmpty();
        assertThat(StallRule.isStalled(silent)).isTrue();
    }

    @Test
    void a_draining_agent_is_judged() {
        Pulse draining = Pulses.in(LifecycleStatus.DRAINING, CONFIG);
        assertThat(due(after(draining, Phase.TOOL, 901, T0.plusSeconds(10)), T0.plusSeconds(11)))
                .isPresent();
    }

    @ParameterizedTest
    @EnumSource(
            value = LifecycleStatus.class,
            names = {"DEAD", "DEREGISTERED"})
    void the_stall_of_an_agent_that_is_gone_is_over_once(LifecycleStatus gone) {
        Pulse warned = published(after(ACTIVE, Phase.TOOL, 901, T0.plusSeconds(1)), T0.plusSeconds(1));
        Pulse unhealthy = warned.withStatus(LifecycleStatus.UNHEALTHY, Drain.NONE, T0.plusSeconds(2));
        Pulse ended =
                (gone == LifecycleStatus.DEAD ? unhealthy : warned).withStatus(gone, Drain.NONE, T0.plusSeconds(3));
        assertThat(StallRule.isStalled(ended)).isFalse();
        StallChange over = StallRule.due(ended, T0.plusSeconds(9), false, T0.plusSeconds(9))
                .orElseThrow();
        assertThat(over.reason()).isEqualTo(StallChange.Reason.ENDED);
        assertThat(due(over.after(), T0.plusSeconds(10))).isEmpty();
    }

    @Test
    void the_stall_of_a_process_that_was_replaced_is_over_when_the_new_one_lives() {
        Pulse warned = published(after(ACTIVE, Phase.TOOL, 901, T0.plusSeconds(1)), T0.plusSeconds(1));
        Pulse again = RegistrationRule.again(
                RegistrationRule.replaced(warned, T0.plusSeconds(5)),
                CONFIG,
                5,
                Coordination.NONE,
                Pulses.OWNER,
                T0.plusSeconds(5));
        assertThat(StallRule.isStalled(again)).isFalse();
        assertThat(due(again, T0.plusSeconds(6)).orElseThrow().isOver()).isTrue();
    }

    @Test
    void leases_are_to_be_ended_where_the_agent_declares_it() {
        HeartbeatConfig releasing = HeartbeatConfig.DEFAULT.with(new StallConfig(StallConfig.sameForAll(60), true));
        Pulse warned = published(after(Pulses.active(releasing), Phase.TOOL, 61, T0.plusSeconds(1)), T0.plusSeconds(1));
        assertThat(warned.stall().releasesLeases()).isTrue();
        assertThat(warned.withLeasesOfStallEnded().stall().releasesLeases()).isFalse();
        assertThat(due(warned.withLeasesOfStallEnded(), T0.plusSeconds(2))).isEmpty();
    }

    @Test
    void one_time_for_all_leaves_people_out() {
        assertThat(StallConfig.sameForAll(60)).containsOnlyKeys(Phase.MODEL, Phase.TOOL, Phase.OTHER);
    }

    @Test
    void an_age_beyond_all_time_counts_from_1970() {
        Activity activity = new ReportedActivity(Phase.TOOL, Duration.ofDays(1_000_000)).at(T0);
        assertThat(activity.lastProgressAt()).isEqualTo(Instant.EPOCH);
    }

    private static Optional<StallChange> due(Pulse pulse, Instant now) {
        return StallRule.due(pulse, NO_GRACE, false, now);
    }

    private static Pulse published(Pulse pulse, Instant now) {
        return due(pulse, now).orElseThrow().after();
    }

    private static Pulse after(Pulse pulse, Phase phase, double ageSeconds, Instant now) {
        ReportedActivity activity = new ReportedActivity(phase, Duration.ofMillis(Math.round(ageSeconds * 1_000)));
        return pulse.withHeartbeat(
                new Heartbeat(
                        false,
                        Workload.NOT_REPORTED,
                        false,
                        List.of(),
                        Heartbeat.UNKNOWN_TIME,
                        ProcessStart.UNKNOWN,
                        Pulse.ANY_INCARNATION,
                        activity,
                        SeenBy.HEARTBEAT),
                now);
    }
}
