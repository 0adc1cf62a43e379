package dev.agenthealth.model.health.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.health.score.ScoreState;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.workflow.PoolCapacity;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** The statistics of parts add up to those of the whole, however it is cut, sent or stored. */
@Tag("AHM-08")
@Tag("AHS-18")
class FleetStatisticsPropertyTest {

    private static final VerdictRule VERDICTS = new VerdictRule(Set.of("a3", "a8"), Set.of(2L), Set.of(), Rows.NOW);

    @Provide
    Arbitrary<List<FleetRow>> fleets() {
        return Rows.any().list().ofMaxSize(40);
    }

    @Property
    void parts_add_up_to_the_whole_in_any_grouping_and_order(
            @ForAll("fleets") List<FleetRow> fleet,
            @ForAll @IntRange(max = 40) int one,
            @ForAll @IntRange(max = 40) int two) {
        int first = Math.min(Math.min(one, two), fleet.size());
        int second = Math.min(Math.max(one, two), fleet.size());
        FleetStatistics a = statistics(fleet.subList(0, first));
        FleetStatistics b = statistics(fleet.subList(first, second));
        FleetStatistics c = statistics(fleet.subList(second, fleet.size()));
        FleetStatistics whole = statistics(fleet);
        assertThat(a.plus(b).plus(c)).isEqualTo(whole);
        assertThat(a.plus(b.plus(c))).isEqualTo(whole);
        assertThat(c.plus(a).plus(b)).isEqualTo(whole);
        assertThat(whole.plus(FleetStatistics.EMPTY)).isEqualTo(whole);
    }

    /** Counted anew from the rows. */
    @Property
    void the_whole_is_what_is_there(@ForAll("fleets") List<FleetRow> fleet) {
        FleetStatistics statistics = statistics(fleet);
        is(statistics.fleet(), fleet);
        for (GroupKind kind : GroupKind.values()) {
            for (long number = 1; number <= 4; number++) {
                long group = number;
                List<FleetRow> rows =
                        fleet.stream().filter(r -> kind.numberOf(r) == group).toList();
                is(statistics.of(kind).of(number), rows);
                if (kind == GroupKind.ROLE) {
                    List<FleetRow> members = rows.stream()
                            .filter(row -> !row.pulse().dismissed())
                            .toList();
                    assertThat(statistics.of(kind).of(number).pool())
                            .isEqualTo(Optional.of(pool(members)).filter(pool -> !members.isEmpty()));
                }
            }
            assertThat(statistics.of(kind).byNumber().keySet()).allMatch(number -> number > 0);
        }
    }

    @Property
    void figures_survive_their_texts(@ForAll("fleets") List<FleetRow> fleet, @ForAll @IntRange(max = 5) int most) {
        FleetStatistics statistics = statistics(fleet).largest(most);
        assertThat(StatisticsText.statistics(StatisticsText.of(statistics.fleet())))
                .isEqualTo(statistics.fleet());
        for (GroupStatistics groups : statistics.groups().values()) {
            assertThat(StatisticsText.groups(StatisticsText.of(groups))).isEqualTo(groups);
        }
    }

    @Property
    void only_the_largest_groups_are_listed_and_all_agents_are_counted(
            @ForAll("fleets") List<FleetRow> fleet, @ForAll @IntRange(max = 5) int most) {
        FleetStatistics statistics = statistics(fleet);
        FleetStatistics bounded = statistics.largest(most);
        assertThat(bounded.fleet()).isEqualTo(statistics.fleet());
        for (GroupKind kind : GroupKind.values()) {
            GroupStatistics all = statistics.of(kind);
            GroupStatistics some = bounded.of(kind);
            assertThat(some.byNumber().size())
                    .isEqualTo(Math.min(most, all.byNumber().size()));
            assertThat(sum(some)).isEqualTo(sum(all));
            long smallest = some.byNumber().values().stream()
                    .mapToLong(AgentStatistics::agents)
                    .min()
                    .orElse(Long.MAX_VALUE);
            all.byNumber().forEach((number, group) -> {
                if (!some.byNumber().containsKey(number)) {
                    assertThat(group.agents()).isLessThanOrEqualTo(smallest);
                }
            });
        }
    }

    @Example
    void the_number_of_listed_groups_is_limited() {
        FleetStatistics one = statistics(rows(1, GroupStatistics.MAX_GROUPS + 5));
        FleetStatistics two = statistics(rows(GroupStatistics.MAX_GROUPS, 20));
        for (FleetStatistics statistics : List.of(one, one.plus(two))) {
            assertThat(statistics.of(GroupKind.PLATFORM).byNumber()).hasSize(GroupStatistics.MAX_GROUPS);
            assertThat(sum(statistics.of(GroupKind.PLATFORM))).isEqualTo(withoutScoreSteps(statistics.fleet()));
        }
        assertThat(one.of(GroupKind.PLATFORM).others().agents()).isEqualTo(5);
        assertThat(one.plus(two).of(GroupKind.PLATFORM).others().agents()).isEqualTo(24);
    }

    @Example
    void figures_that_a_later_version_adds_are_skipped() {
        String numbers = ",".repeat(Statistic.values().length);
        assertThat(StatisticsText.statistics("7" + numbers + "99").counts().numbers())
                .containsOnlyKeys(Statistic.ACTIVE);
        assertThat(StatisticsText.groups("2s:7" + numbers + "99;:8").of(100).get(Statistic.ACTIVE))
                .isEqualTo(7);
    }

    @Example
    void the_texts_of_an_empty_fleet_are_empty_and_short_for_one_agent() {
        assertThat(StatisticsText.of(AgentStatistics.NONE)).isEmpty();
        assertThat(StatisticsText.of(GroupStatistics.NONE)).isEmpty();
        FleetRow row = Rows.row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, -1, 36, 0, 0);
        assertThat(StatisticsText.of(statistics(List.of(row)).of(GroupKind.ROLE)))
                .isEqualTo("10:1,,,,,,,,1,,,,1,,1" + ",".repeat(25) + "5");
    }

    private static Map<LifecycleStatus, PoolCapacity> pool(List<FleetRow> rows) {
        Map<LifecycleStatus, PoolCapacity> pool = new EnumMap<>(LifecycleStatus.class);
        EnumSet.complementOf(EnumSet.of(LifecycleStatus.REGISTERING))
                .forEach(status -> pool.put(
                        status,
                        rows.stream()
                                .map(FleetRow::pulse)
                                .filter(pulse -> pulse.status() == status)
                                .map(PoolCapacity::of)
                                .reduce(PoolCapacity.EMPTY, PoolCapacity::plus)));
        return pool;
    }

    private static AgentStatistics withoutScoreSteps(AgentStatistics statistics) {
        Map<Statistic, Long> numbers = new EnumMap<>(Statistic.class);
        for (Statistic figure : Statistic.values()) {
            if (!Statistic.SCORE_STEPS.contains(figure)) {
                numbers.put(figure, statistics.get(figure));
            }
        }
        return new AgentStatistics(new Counts<>(numbers));
    }

    private static List<FleetRow> rows(int from, int number) {
        return IntStream.range(from, from + number)
                .mapToObj(i -> Rows.row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, 9_000, 0, 0, i))
                .toList();
    }

    private static FleetStatistics statistics(List<FleetRow> rows) {
        FleetStatistics.Tally tally = new FleetStatistics.Tally(VERDICTS);
        rows.forEach(tally::add);
        return tally.statistics();
    }

    private static AgentStatistics sum(GroupStatistics groups) {
        return groups.byNumber().values().stream().reduce(groups.others(), AgentStatistics::plus);
    }

    private static void is(AgentStatistics statistics, List<FleetRow> rows) {
        Predicate<FleetRow> counts = row -> verdict(row) != Verdict.GONE;
        ToLongFunction<Predicate<FleetRow>> number =
                wanted -> rows.stream().filter(counts.and(wanted)).count();
        Predicate<FleetRow> lives = row -> row.pulse().status() != LifecycleStatus.DEAD;
        assertThat(statistics.agents()).isEqualTo(number.applyAsLong(row -> true));
        assertThat(statistics.dead()).isEqualTo(number.applyAsLong(lives.negate()));
        assertThat(statistics.inactive())
                .isEqualTo(number.applyAsLong(lives.and(row -> row.summary().isInactive())));
        for (Verdict verdict : Verdict.COUNTED) {
            assertThat(statistics.get(Statistic.of(verdict)))
                    .isEqualTo(number.applyAsLong(row -> verdict(row) == verdict));
        }
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                assertThat(statistics.get(Statistic.of(status)))
                        .isEqualTo(rows.stream()
                                .filter(row -> row.pulse().status() == status
                                        && (verdict(row) != Verdict.GONE || status != LifecycleStatus.DEAD))
                                .count());
            }
        }
        for (HealthStatus status : HealthStatus.values()) {
            assertThat(statistics.get(Statistic.of(status)))
                    .isEqualTo(number.applyAsLong(
                            lives.and(row -> row.summary().status(row.pulse().status()) == status)));
        }
        assertThat(Arrays.stream(ScoreState.values())
                        .mapToLong(state -> statistics.get(Statistic.of(state)))
                        .sum())
                .isEqualTo(number.applyAsLong(lives.or(row -> !row.summary().isInactive())));
        assertThat(statistics.down())
                .isEqualTo(number.applyAsLong(
                        lives.negate().or(row -> row.summary().measured() == HealthStatus.UNHEALTHY)));
        assertThat(statistics.get(Statistic.SCORE_HUNDREDTHS))
                .isEqualTo(rows.stream()
                        .filter(counts)
                        .mapToLong(row -> Math.max(0, row.summary().hundredths()))
                        .sum());
    }

    /** Worked out from the words of the documentation, without the rule. */
    private static Verdict verdict(FleetRow row) {
        LifecycleStatus status = row.pulse().status();
        if (status == LifecycleStatus.DEREGISTERED || row.pulse().dismissed()) {
            return Verdict.GONE;
        }
        HealthStatus measured = row.summary().measured();
        int score = row.summary().hundredths();
        if (Set.of("a3", "a8").contains(row.pulse().agentId()) || row.summary().providerNumber() == 2) {
            return Verdict.BLOCKED;
        }
        if (status == LifecycleStatus.DEAD || measured == HealthStatus.UNHEALTHY) {
            return Verdict.DOWN;
        }
        boolean impaired = status != LifecycleStatus.ACTIVE || measured == HealthStatus.DEGRADED;
        boolean scoredLow = score >= 0 && score < 8_500;
        if (impaired || scoredLow || row.summary().restartsDegradeUntil().isAfter(Rows.NOW)) {
            return Verdict.DEGRADED;
        }
        return row.pulse().heartbeatCount() == 0 && measured == HealthStatus.UNKNOWN ? Verdict.UNKNOWN : Verdict.OK;
    }
}
