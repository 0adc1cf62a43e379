package dev.agenthealth.model.health.availability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.FleetStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The counts of groups in minutes, hours and longer times. */
class GroupCountsTest {

    private static final long HOUR = 490_000;
    private static final long MINUTE = HOUR * 60;

    private static AgentStatistics agents(long active, long draining, long silent, long dead) {
        Map<Statistic, Long> counts = new EnumMap<>(Statistic.class);
        counts.put(Statistic.ACTIVE, active);
        counts.put(Statistic.DRAINING, draining);
        counts.put(Statistic.SILENT, silent);
        counts.put(Statistic.DEAD, dead);
        counts.put(Statistic.DEREGISTERED, 100L);
        counts.put(Statistic.VERDICT_DOWN, dead);
        return new AgentStatistics(new Counts<>(counts));
    }

    private static GroupCount count(long up, long down) {
        return new GroupCount(up, 0, down);
    }

    private static GroupPiece piece(Instant from, Instant to, GroupSum sum) {
        return new GroupPiece(from, to, sum, GroupSum.NONE, true);
    }

    private static FleetMinute minute(
            long minute, boolean alsoBefore, long up, long dead, Map<Long, GroupCount> roles) {
        Map<Long, GroupCount> verdicts = new HashMap<>(roles);
        verdicts.put(FleetMinute.FLEET, count(up, dead));
        return new FleetMinute(minute, alsoBefore, agents(up, 0, 0, dead), roles, verdicts);
    }

    @ParameterizedTest(name = "{0} active, {1} draining, {2} silent, {3} dead")
    @CsvSource({
        "0, 0, 0, 0, NONE,     NONE",
        "1, 0, 0, 0, UP,       UP",
        "1, 1, 0, 0, UP,       UP",
        "0, 0, 1, 0, DEGRADED, DEGRADED",
        "0, 0, 0, 1, DOWN,     DOWN",
        "3, 2, 1, 4, DEGRADED, DEGRADED"
    })
    void a_group_is_as_well_as_its_agents(
            long active, long draining, long silent, long dead, AvailabilityState state, AvailabilityState worst) {
        GroupCount count = GroupCount.byHeartbeats(agents(active, draining, silent, dead));
        assertThat(count).isEqualTo(new GroupCount(active + draining, silent, dead));
        assertThat(count.state()).isEqualTo(state);
        GroupSum sum = GroupSum.of(count);
        assertThat(sum.worst()).isEqualTo(worst);
        for (AvailabilityState each : AvailabilityState.values()) {
            assertThat(sum.minutesIn(each)).isEqualTo(each == state ? 1 : 0);
        }
    }

    @Test
    void the_worst_minute_gives_a_sum_its_state() {
        GroupSum up = GroupSum.of(count(3, 0));
        GroupSum none = GroupSum.of(count(0, 0));
        GroupSum degraded = GroupSum.of(count(1, 1));
        GroupSum down = GroupSum.of(count(0, 2));
        assertThat(GroupSum.NONE.worst()).isEqualTo(AvailabilityState.UNKNOWN);
        assertThat(none.plus(none).worst()).isEqualTo(AvailabilityState.NONE);
        assertThat(none.plus(up).worst()).isEqualTo(AvailabilityState.UP);
        assertThat(up.plus(degraded).plus(none).worst()).isEqualTo(AvailabilityState.DEGRADED);
        GroupSum all =
                down.plus(degraded).plus(degraded).plus(up).plus(up).plus(up).plus(none);
        assertThat(all.worst()).isEqualTo(AvailabilityState.DOWN);
        assertThat(all).isEqualTo(new GroupSum(7, 11, 0, 4, 2, 1, 1));
        assertThat(all.minutesIn(AvailabilityState.UP)).isEqualTo(3);
        assertThat(all.minutesIn(AvailabilityState.DEGRADED)).isEqualTo(2);
        assertThat(all.minutesIn(AvailabilityState.DOWN)).isEqualTo(1);
        assertThat(all.minutesIn(AvailabilityState.NONE)).isEqualTo(1);
        assertThat(all.minutesIn(AvailabilityState.UNKNOWN)).isZero();
        assertThat(all.ratio())
                .hasValueSatisfying(ratio -> assertThat(ratio.doubleValue()).isBetween(0.733, 0.734));
        assertThat(none.ratio()).isEmpty();
    }

    @Test
    void a_count_stands_for_its_minute_and_maybe_the_one_before() {
        FleetMinute one = minute(MINUTE, false, 1, 0, Map.of());
        FleetMinute two = minute(MINUTE + 2, true, 2, 0, Map.of());
        FleetMinute late = minute(MINUTE + 1, false, 3, 0, Map.of());
        assertThat(one.minutes()).containsExactly(MINUTE);
        assertThat(two.minutes()).containsExactly(MINUTE + 1, MINUTE + 2);
        assertThat(FleetMinute.byMinute(List.of(two, one)))
                .isEqualTo(Map.of(MINUTE, one, MINUTE + 1, two, MINUTE + 2, two));
        assertThat(FleetMinute.byMinute(List.of(two, late))).isEqualTo(Map.of(MINUTE + 1, late, MINUTE + 2, two));
        assertThat(FleetMinute.byMinute(List.of(late, two))).isEqualTo(Map.of(MINUTE + 1, late, MINUTE + 2, two));
        assertThat(FleetMinute.at(two.start())).isEqualTo(MINUTE + 2);
        assertThat(FleetMinute.at(two.start().minusMillis(1))).isEqualTo(MINUTE + 1);
    }

    @ParameterizedTest(name = "the pass before started {0} s earlier")
    @CsvSource({"60, false", "61, true", "120, true", "121, false", "180, false"})
    void one_minute_without_a_pass_is_covered(int secondsBefore, boolean alsoBefore) {
        // The first second of a minute.
        Instant startedAt = Instant.ofEpochSecond(MINUTE * 60);
        FleetMinute counted = FleetMinute.of(FleetStatistics.EMPTY, startedAt, startedAt.minusSeconds(secondsBefore));
        assertThat(counted.alsoBefore()).isEqualTo(alsoBefore);
        assertThat(counted.minute()).isEqualTo(MINUTE);
        assertThat(FleetMinute.of(FleetStatistics.EMPTY, startedAt, Instant.MIN).alsoBefore())
                .isFalse();
    }

    @Test
    void an_hour_sums_up_its_minutes() {
        FleetMinute before = minute(MINUTE - 1, false, 50, 50, Map.of());
        FleetMinute first = minute(MINUTE, true, 5, 1, Map.of(7L, count(3, 1)));
        FleetMinute last = minute(MINUTE + 59, false, 4, 2, Map.of(7L, count(2, 2), 8L, count(0, 0)));
        FleetMinute after = minute(MINUTE + 60, true, 7, 0, Map.of());
        FleetHour hour = FleetHour.of(HOUR, List.of(before, first, last, after));
        assertThat(hour.counted()).containsExactly(MINUTE, MINUTE + 59);
        assertThat(hour.minDown()).isEqualTo(1);
        assertThat(hour.maxDown()).isEqualTo(2);
        assertThat(hour.of(FleetMinute.FLEET)).isEqualTo(new GroupSum(2, 9, 0, 3, 2, 0, 0));
        assertThat(hour.minuteCount()).isEqualTo(2);
        assertThat(hour.sum().get(Statistic.ACTIVE)).isEqualTo(9);
        assertThat(hour.of(7)).isEqualTo(new GroupSum(2, 5, 0, 3, 2, 0, 0));
        assertThat(hour.of(8)).isEqualTo(new GroupSum(1, 0, 0, 0, 0, 0, 1));
        assertThat(hour.of(9)).isEqualTo(GroupSum.NONE);
        assertThat(FleetHour.at(hour.start())).isEqualTo(HOUR);
        assertThat(FleetHour.at(hour.start().minusMillis(1))).isEqualTo(HOUR - 1);
    }

    @Test
    void an_hour_keeps_the_largest_roles() {
        Map<Long, GroupCount> roles = LongStream.range(0, 60)
                .boxed()
                .collect(Collectors.toMap(role -> role, role -> count(role % 30, role / 30)));
        FleetHour hour = FleetHour.of(HOUR, List.of(minute(MINUTE, false, 1, 0, roles)));
        assertThat(hour.verdicts()).hasSize(FleetMinute.MAX_ROLES + 1);
        assertThat(hour.heartbeats()).hasSize(FleetMinute.MAX_ROLES + 1);
        assertThat(hour.verdicts().keySet()).contains(5L, 35L).doesNotContain(1L, 2L, 3L, 4L, 30L, 31L, 32L, 33L, 34L);
    }

    @Test
    void the_availability_of_a_group_counts_its_minutes() {
        Instant from = Instant.ofEpochSecond(MINUTE * 60);
        GroupPiece up = piece(from, from.plusSeconds(60), GroupSum.of(count(4, 0)));
        GroupPiece down = piece(from.plusSeconds(60), from.plusSeconds(120), GroupSum.of(count(0, 4)));
        GroupPiece mixed = piece(
                from.plusSeconds(120),
                from.plusSeconds(240),
                GroupSum.of(count(1, 3)).plus(GroupSum.of(count(4, 0))));
        GroupPiece again = piece(from.plusSeconds(300), from.plusSeconds(360), GroupSum.of(count(2, 2)));
        Availability availability = GroupAvailability.of(from, from.plusSeconds(420), List.of(up, down, mixed, again));
        assertThat(availability.seconds())
                .containsEntry(AvailabilityState.UP, 120L)
                .containsEntry(AvailabilityState.DOWN, 60L)
                .containsEntry(AvailabilityState.DEGRADED, 120L)
                .containsEntry(AvailabilityState.UNKNOWN, 120L);
        assertThat(availability.ratio())
                .hasValueSatisfying(ratio -> assertThat(ratio).isEqualByComparingTo("0.55"));
        assertThat(availability.intervals())
                .extracting(Span::state)
                .containsExactly(
                        AvailabilityState.UP,
                        AvailabilityState.DOWN,
                        AvailabilityState.DEGRADED,
                        AvailabilityState.UNKNOWN,
                        AvailabilityState.DEGRADED,
                        AvailabilityState.UNKNOWN);
        assertThat(availability.incidents()).extracting(Incident::seconds).contains(120L, 60L);
    }

    @Test
    void blocked_agents_are_down_and_agents_with_an_unknown_verdict_do_not_count() {
        Map<Statistic, Long> verdicts = Map.of(
                Statistic.VERDICT_OK, 5L,
                Statistic.VERDICT_DEGRADED, 3L,
                Statistic.VERDICT_DOWN, 2L,
                Statistic.VERDICT_BLOCKED, 1L,
                Statistic.VERDICT_UNKNOWN, 7L);
        assertThat(GroupCount.byVerdict(new AgentStatistics(new Counts<>(verdicts))))
                .isEqualTo(new GroupCount(5, 3, 3));
    }

    @Test
    void an_hour_of_an_earlier_version_is_by_heartbeats_and_marked() {
        FleetMinute earlier =
                new FleetMinute(MINUTE, false, agents(5, 0, 0, 1), Map.of(7L, new GroupCount(3, 0, 1)), Map.of());
        FleetHour hour = FleetHour.of(HOUR, List.of(earlier, minute(MINUTE + 1, false, 2, 2, Map.of())));
        assertThat(hour.verdicts()).isEmpty();
        GroupPiece piece = hour.piece(7);
        assertThat(piece.byVerdict()).isFalse();
        assertThat(piece.sum()).isEqualTo(new GroupSum(1, 3, 0, 1, 1, 0, 0)).isEqualTo(piece.heartbeats());
        Availability availability = GroupAvailability.of(piece.from(), piece.to(), List.of(piece));
        assertThat(availability.heartbeats().until()).contains(piece.to());
        GroupPiece ofMinute = minute(MINUTE, false, 1, 1, Map.of()).piece(FleetMinute.FLEET, hour.start());
        assertThat(GroupAvailability.of(ofMinute.from(), ofMinute.to(), List.of(ofMinute))
                        .heartbeats()
                        .until())
                .isEmpty();
    }

    @Test
    void a_minute_keeps_the_figures_of_the_fleet_and_its_roles() {
        GroupStatistics roles = new GroupStatistics(
                Map.of(7L, agents(2, 0, 1, 0), GroupNumber.NONE, agents(1, 0, 0, 0)), AgentStatistics.NONE);
        FleetMinute counted = FleetMinute.of(
                new FleetStatistics(agents(3, 0, 1, 0), Map.of(GroupKind.ROLE, roles)), Instant.EPOCH, Instant.MIN);
        assertThat(counted.fleet().get(Statistic.ACTIVE)).isEqualTo(3);
        assertThat(counted.fleet().get(Statistic.DEREGISTERED)).isEqualTo(100);
        assertThat(counted.fleet().get(Statistic.SILENT)).isEqualTo(1);
        assertThat(counted.heartbeats()).isEqualTo(Map.of(7L, new GroupCount(2, 1, 0)));
        assertThat(counted.verdicts())
                .isEqualTo(Map.of(7L, new GroupCount(0, 0, 0), FleetMinute.FLEET, new GroupCount(0, 0, 0)));
        assertThat(counted.isByVerdict()).isTrue();
    }
}
