package dev.agenthealth.model.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.MeasurementWindow;
import dev.agenthealth.model.window.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

@Tag("AHS-08")
@Tag("AHM-07")
class ClosedSlicesPropertyTest {

    private static final Instant BEGINNING = Instant.parse("2026-02-08T10:30:00Z");

    /** Something that happens after some seconds: an outcome of some seconds ago, or a computation. */
    private record Step(int after, boolean computes, int ago, boolean success, double latencyMs) {}

    /** An agent's slices, and what a computation keeps of them, as the functions do it. */
    private static final class History {

        private final SortedMap<Slice, OutcomeCounts> stored = new TreeMap<>();
        private final Set<Slice> changed = new HashSet<>();
        private MeasurementWindow window;
        private ClosedSlices closed;
        private Instant now = BEGINNING;

        History(MeasurementWindow window) {
            this.window = window;
            this.closed = ClosedSlices.none(window, Expectations.NONE, now);
        }

        void take(Step step) {
            now = now.plusSeconds(step.after());
            Instant occurredAt = now.minusSeconds(step.ago());
            if (!step.computes() && !occurredAt.isBefore(window.earliest(now))) {
                Slice slice = window.sliceAt(occurredAt);
                Outcome outcome = new Outcome(
                        step.success() ? OutcomeResult.SUCCESS : OutcomeResult.FAILURE,
                        ErrorType.OTHER,
                        step.latencyMs(),
                        occurredAt,
                        false);
                stored.merge(
                        slice, OutcomeCounts.of(outcome, OutcomeSource.SELF, Expectations.NONE), OutcomeCounts::plus);
                changed.add(slice);
            }
        }

        SortedMap<Slice, OutcomeCounts> compute() {
            SortedMap<Slice, OutcomeCounts> read = new TreeMap<>(stored.tailMap(new Slice(closed.from(), 0)));
            changed.stream()
                    .filter(slice -> slice.start() < closed.from())
                    .forEach(slice -> read.put(slice, stored.get(slice)));
            SortedMap<Slice, OutcomeCounts> all = closed.with(read, now);
            closed = closed.next(all, now);
            changed.clear();
            return all;
        }
    }

    @Property
    void what_is_kept_of_closed_slices_sums_up_to_what_all_slices_hold(
            @ForAll("windows") MeasurementWindow window, @ForAll("steps") List<Step> steps) {
        History history = new History(window);
        for (Step step : steps) {
            history.take(step);
            if (step.computes()) {
                SortedMap<Slice, OutcomeCounts> all = history.compute();
                assertThat(ClosedSlices.current(window, all, history.now))
                        .isEqualTo(ClosedSlices.current(window, history.stored, history.now));
                assertThat(ClosedSlices.previous(window, all, history.now).withoutLatencies())
                        .isEqualTo(ClosedSlices.previous(window, history.stored, history.now)
                                .withoutLatencies());
            }
        }
    }

    @Property
    void a_computation_reads_few_slices_again(
            @ForAll("windows") MeasurementWindow window, @ForAll("steps") List<Step> steps) {
        History history = new History(window);
        for (Step step : steps) {
            history.take(step);
            history.compute();
            Duration open = Duration.between(Instant.ofEpochSecond(history.closed.from()), history.now);
            assertThat(open).isLessThanOrEqualTo(Slice.OPEN_AFTER_END.plusSeconds(window.sliceWidth()));
            assertThat(history.closed.slices()).allSatisfy((slice, counts) -> {
                assertThat(slice.isClosed(history.now)).isTrue();
                assertThat(window.holds(slice, history.now) || window.heldBefore(slice, history.now))
                        .isTrue();
                assertThat(window.holds(slice, history.now)
                                || counts.latencies().total() == 0)
                        .isTrue();
            });
        }
    }

    /** What an agent declares from a step on. */
    private static final List<Expectations> DECLARED = List.of(
            Expectations.NONE,
            declared(Expectation.RUNTIME_MS, 2_000, Expectation.SLA_MS, 700),
            declared(Expectation.RUNTIME_MS, 40, Expectation.BASELINE_LATENCY_MS, 9_000),
            declared(Expectation.BASELINE_LATENCY_MS, 150, Expectation.SLA_MS, 60_000));

    private static Expectations declared(Expectation one, double first, Expectation other, double second) {
        return new Expectations(Map.of(one, first, other, second));
    }

    /**
     * The outcomes of one slice are counted by what the agent declares when they are reported, in a part for each declaration; at each computation
     * the agent may have declared something else.
     */
    @Property
    @Tag("AHM-09")
    void changed_expectations_apply_to_all_outcomes_within_a_bucket(@ForAll("judged") List<Judged> reports) {
        MeasurementWindow window = MeasurementWindow.DEFAULT;
        Slice slice = window.sliceAt(BEGINNING);
        Map<Expectations, OutcomeCounts> parts = new HashMap<>();
        List<Outcome> outcomes = new ArrayList<>();
        ClosedSlices closed = ClosedSlices.none(window, Expectations.NONE, BEGINNING);
        for (Judged report : reports) {
            Expectations expected = DECLARED.get(report.declaration());
            outcomes.add(report.outcome());
            parts.merge(
                    expected, OutcomeCounts.of(report.outcome(), OutcomeSource.SELF, expected), OutcomeCounts::plus);
            OutcomeCounts read = parts.entrySet().stream()
                    .map(part -> part.getKey().revision() == expected.revision()
                            ? part.getValue()
                            : part.getValue().countedBy(expected))
                    .reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
            assertJudged(read, outcomes, expected);
            closed = closed.countedBy(expected);
            assertThat(closed.revision()).isEqualTo(expected.revision());
            if (!closed.slices().isEmpty()) {
                assertJudged(closed.slices().get(slice), outcomes.subList(0, outcomes.size() - 1), expected);
            }
            Instant later = BEGINNING.plus(Duration.ofHours(2));
            closed = closed.next(closed.with(Map.of(slice, read), later), later);
            assertJudged(closed.slices().get(slice), outcomes, expected);
        }
    }

    /** What the specification says of these outcomes; a limit may be off by what a bucket's value is. */
    private static void assertJudged(OutcomeCounts counts, List<Outcome> outcomes, Expectations expected) {
        assertBetween(counts.get(OutcomeCounter.LONG_RUNNING), expected.longRunningMs(), outcomes, false);
        assertBetween(counts.get(OutcomeCounter.ABOVE_BASELINE), expected.latencyLimitMs(), outcomes, false);
        assertBetween(counts.get(OutcomeCounter.SLA_BREACHES), expected.slaMs(), outcomes, true);
        assertThat(counts.get(OutcomeCounter.SLA_REPORTED))
                .isEqualTo(outcomes.stream().filter(Outcome::slaBreached).count());
        assertThat(counts.executions()).isEqualTo(outcomes.size());
    }

    private static void assertBetween(
            long count, OptionalDouble declared, List<Outcome> outcomes, boolean countsReported) {
        double limit = declared.orElse(Double.POSITIVE_INFINITY);
        assertThat(count)
                .isBetween(
                        above(1.06 * limit, outcomes, countsReported), above(0.94 * limit, outcomes, countsReported));
    }

    private static long above(double limit, List<Outcome> outcomes, boolean countsReported) {
        return outcomes.stream()
                .filter(outcome -> outcome.latencyMs() > limit || countsReported && outcome.slaBreached())
                .count();
    }

    /** An outcome, and what the agent declares when it is reported. */
    record Judged(int declaration, Outcome outcome) {}

    @Provide
    Arbitrary<List<Judged>> judged() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, DECLARED.size() - 1),
                        Arbitraries.oneOf(
                                Arbitraries.of(Outcome.NO_LATENCY, 200d, 450d, 700d, 10_000d, 27_000d),
                                Arbitraries.doubles().between(20, 100_000)),
                        Arbitraries.of(true, false, false))
                .as((declaration, latency, reported) -> new Judged(
                        declaration, new Outcome(OutcomeResult.SUCCESS, ErrorType.OTHER, latency, BEGINNING, reported)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }

    @Provide
    Arbitrary<MeasurementWindow> windows() {
        return Combinators.combine(
                        Arbitraries.of(300, 301, 3_599, 3_600, 86_400, 604_800),
                        Arbitraries.oneOf(
                                Arbitraries.just(Instant.EPOCH),
                                Arbitraries.integers().between(-700_000, 0).map(BEGINNING::plusSeconds)))
                .as((seconds, start) -> new MeasurementWindow(Duration.ofSeconds(seconds), start));
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> pauses = Arbitraries.oneOf(
                Arbitraries.integers().between(0, 30),
                Arbitraries.integers().between(0, 4_000),
                Arbitraries.integers().between(0, 90_000));
        Arbitrary<Integer> delays = Arbitraries.oneOf(
                Arbitraries.integers().between(-300, 60),
                Arbitraries.integers().between(0, 700),
                Arbitraries.integers().between(0, 180_000));
        return Combinators.combine(
                        pauses,
                        Arbitraries.of(true, false, false),
                        delays,
                        Arbitraries.of(true, false),
                        Arbitraries.doubles().between(0, 100_000))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }

    @Property
    void a_window_sums_its_slices_and_the_one_before_it_those_before(
            @ForAll("windows") MeasurementWindow window, @ForAll("steps") List<Step> steps) {
        History history = new History(window);
        steps.forEach(history::take);
        long current = 0;
        long previous = 0;
        for (Map.Entry<Slice, OutcomeCounts> slice : history.stored.entrySet()) {
            current +=
                    window.holds(slice.getKey(), history.now) ? slice.getValue().executions() : 0;
            previous += window.heldBefore(slice.getKey(), history.now)
                    ? slice.getValue().executions()
                    : 0;
        }
        assertThat(ClosedSlices.current(window, history.stored, history.now).executions())
                .isEqualTo(current);
        assertThat(ClosedSlices.previous(window, history.stored, history.now).executions())
                .isEqualTo(previous);
    }
}
