package dev.agenthealth.model.census;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.HealthStatus;
import dev.agenthealth.model.health.Verdict;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.score.ScoreState;
import dev.agenthealth.model.workflow.PoolCapacity;
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

/** The figures of parts add up to those of the whole, however it is cut, sent or stored. */
@Tag("AHM-08")
@Tag("AHS-18")
class CensusPropertyTest {

    private static final VerdictRule VERDICTS = new VerdictRule(Set.of("a3", "a8"), Set.of(2L), Set.of(), Rows.NOW);

    @Provide
    Arbitrary<List<FleetRow>> fleets() {
        return Rows.any().list().ofMaxSize(40);
    }

    @Property(tries = 300)
    void parts_add_up_to_the_whole_in_any_grouping_and_order(
            @ForAll("fleets") List<FleetRow> fleet,
            @ForAll @IntRange(max = 40) int one,
            @ForAll @IntRange(max = 40) int two) {
        int first = Math.min(Math.min(one, two), fleet.size());
        int second = Math.min(Math.max(one, two), fleet.size());
        Census a = census(fleet.subList(0, first));
        Census b = census(fleet.subList(first, second));
        Census c = census(fleet.subList(second, fleet.size()));
        Census whole = census(fleet);
        assertThat(a.plus(b).plus(c)).isEqualTo(whole);
        assertThat(a.plus(b.plus(c))).isEqualTo(whole);
        assertThat(c.plus(a).plus(b)).isEqualTo(whole);
        assertThat(whole.plus(Census.EMPTY)).isEqualTo(whole);
    }

    /** Counted anew from the rows. */
    @Property(tries = 300)
    void the_whole_is_what_is_there(@ForAll("fleets") List<FleetRow> fleet) {
        Census census = census(fleet);
        is(census.fleet(), fleet);
        for (GroupKind kind : GroupKind.values()) {
            for (long number = 1; number <= 4; number++) {
                long group = number;
                List<FleetRow> rows =
                        fleet.stream().filter(r -> kind.numberOf(r) == group).toList();
                is(census.of(kind).of(number), rows);
                if (kind == GroupKind.ROLE) {
                    assertThat(census.of(kind).of(number).pool())
                            .isEqualTo(Optional.of(pool(rows)).filter(pool -> !rows.isEmpty()));
                }
            }
            assertThat(census.of(kind).byNumber().keySet()).allMatch(number -> number > 0);
        }
    }

    @Property(tries = 300)
    void figures_survive_their_texts(@ForAll("fleets") List<FleetRow> fleet, @ForAll @IntRange(max = 5) int most) {
        Census census = census(fleet).largest(most);
        assertThat(CensusText.figures(CensusText.of(census.fleet()))).isEqualTo(census.fleet());
        for (GroupFigures groups : census.groups().values()) {
            assertThat(CensusText.groups(CensusText.of(groups))).isEqualTo(groups);
        }
    }

    @Property(tries = 300)
    void only_the_largest_groups_are_listed_and_all_agents_are_counted(
            @ForAll("fleets") List<FleetRow> fleet, @ForAll @IntRange(max = 5) int most) {
        Census census = census(fleet);
        Census bounded = census.largest(most);
        assertThat(bounded.fleet()).isEqualTo(census.fleet());
        for (GroupKind kind : GroupKind.values()) {
            GroupFigures all = census.of(kind);
            GroupFigures some = bounded.of(kind);
            assertThat(some.byNumber().size())
                    .isEqualTo(Math.min(most, all.byNumber().size()));
            assertThat(sum(some)).isEqualTo(sum(all));
            long smallest = some.byNumber().values().stream()
                    .mapToLong(FleetFigures::agents)
                    .min()
                    .orElse(Long.MAX_VALUE);
            all.byNumber().forEach((number, figures) -> {
                if (!some.byNumber().containsKey(number)) {
                    assertThat(figures.agents()).isLessThanOrEqualTo(smallest);
                }
            });
        }
    }

    @Example
    void the_number_of_listed_groups_is_limited() {
        Census one = census(rows(1, GroupFigures.MAX_GROUPS + 5));
        Census two = census(rows(GroupFigures.MAX_GROUPS, 20));
        for (Census census : List.of(one, one.plus(two))) {
            assertThat(census.of(GroupKind.PLATFORM).byNumber()).hasSize(GroupFigures.MAX_GROUPS);
            assertThat(sum(census.of(GroupKind.PLATFORM))).isEqualTo(withoutScoreSteps(census.fleet()));
        }
        assertThat(one.of(GroupKind.PLATFORM).others().agents()).isEqualTo(5);
        assertThat(one.plus(two).of(GroupKind.PLATFORM).others().agents()).isEqualTo(24);
    }

    @Example
    void figures_that_a_later_version_adds_are_skipped() {
        String numbers = ",".repeat(Figure.values().length);
        assertThat(CensusText.figures("7" + numbers + "99").counts().numbers()).containsOnlyKeys(Figure.ACTIVE);
        assertThat(CensusText.groups("2s:7" + numbers + "99;:8").of(100).get(Figure.ACTIVE))
                .isEqualTo(7);
    }

    @Example
    void the_texts_of_an_empty_fleet_are_empty_and_short_for_one_agent() {
        assertThat(CensusText.of(FleetFigures.NONE)).isEmpty();
        assertThat(CensusText.of(GroupFigures.NONE)).isEmpty();
        FleetRow row = Rows.row(LifecycleStatus.ACTIVE, HealthStatus.UNKNOWN, -1, 36, 0, 0);
        assertThat(CensusText.of(census(List.of(row)).of(GroupKind.ROLE)))
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

    private static FleetFigures withoutScoreSteps(FleetFigures figures) {
        Map<Figure, Long> numbers = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            if (!Figure.SCORE_STEPS.contains(figure)) {
                numbers.put(figure, figures.get(figure));
            }
        }
        return new FleetFigures(new Counts<>(numbers));
    }

    private static List<FleetRow> rows(int from, int number) {
        return IntStream.range(from, from + number)
                .mapToObj(i -> Rows.row(LifecycleStatus.ACTIVE, HealthStatus.HEALTHY, 9_000, 0, 0, i))
                .toList();
    }

    private static Census census(List<FleetRow> rows) {
        Census.Tally tally = new Census.Tally(VERDICTS);
        rows.forEach(tally::add);
        return tally.census();
    }

    private static FleetFigures sum(GroupFigures groups) {
        return groups.byNumber().values().stream().reduce(groups.others(), FleetFigures::plus);
    }

    private static void is(FleetFigures figures, List<FleetRow> rows) {
        Predicate<FleetRow> counts = row -> row.pulse().status() != LifecycleStatus.DEREGISTERED;
        ToLongFunction<Predicate<FleetRow>> number =
                wanted -> rows.stream().filter(counts.and(wanted)).count();
        Predicate<FleetRow> lives = row -> row.pulse().status() != LifecycleStatus.DEAD;
        assertThat(figures.agents()).isEqualTo(number.applyAsLong(row -> true));
        assertThat(figures.dead()).isEqualTo(number.applyAsLong(lives.negate()));
        assertThat(figures.inactive())
                .isEqualTo(number.applyAsLong(lives.and(row -> row.standing().isInactive())));
        for (Verdict verdict : Verdict.values()) {
            assertThat(figures.get(Figure.of(verdict))).isEqualTo(number.applyAsLong(row -> verdict(row) == verdict));
        }
        for (LifecycleStatus status : LifecycleStatus.values()) {
            if (status != LifecycleStatus.REGISTERING) {
                assertThat(figures.get(Figure.of(status)))
                        .isEqualTo(rows.stream()
                                .filter(row -> row.pulse().status() == status)
                                .count());
            }
        }
        for (HealthStatus status : HealthStatus.values()) {
            assertThat(figures.get(Figure.of(status)))
                    .isEqualTo(number.applyAsLong(
                            lives.and(row -> row.standing().status(row.pulse().status()) == status)));
        }
        assertThat(Arrays.stream(ScoreState.values())
                        .mapToLong(state -> figures.get(Figure.of(state)))
                        .sum())
                .isEqualTo(figures.agents() - figures.dead());
        assertThat(figures.get(Figure.SCORE_HUNDREDTHS))
                .isEqualTo(rows.stream()
                        .filter(counts.and(lives))
                        .mapToLong(row -> Math.max(0, row.standing().hundredths()))
                        .sum());
    }

    /** Worked out from the words of the documentation, without the rule. */
    private static Verdict verdict(FleetRow row) {
        LifecycleStatus status = row.pulse().status();
        HealthStatus measured = row.standing().measured();
        int score = row.standing().hundredths();
        if (Set.of("a3", "a8").contains(row.pulse().agentId()) || row.standing().providerNumber() == 2) {
            return Verdict.BLOCKED;
        }
        if (status == LifecycleStatus.DEAD || measured == HealthStatus.UNHEALTHY) {
            return Verdict.DOWN;
        }
        boolean impaired = status != LifecycleStatus.ACTIVE || measured == HealthStatus.DEGRADED;
        boolean scoredLow = score >= 0 && score < 8_500;
        if (impaired || scoredLow || row.standing().restartsDegradeUntil().isAfter(Rows.NOW)) {
            return Verdict.DEGRADED;
        }
        return row.pulse().heartbeatCount() == 0 && measured == HealthStatus.UNKNOWN ? Verdict.UNKNOWN : Verdict.OK;
    }
}
