package dev.agenthealth.functions.registry.outcomes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.storage.outcomes.OutcomeBatch;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.outcomes.SliceStore;
import dev.agenthealth.functions.storage.outcomes.StoredOutcomes;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.functions.testing.Troubles;
import dev.agenthealth.model.registry.outcome.ErrorType;
import dev.agenthealth.model.registry.outcome.Outcome;
import dev.agenthealth.model.registry.outcome.OutcomeCounter;
import dev.agenthealth.model.registry.outcome.OutcomeCounts;
import dev.agenthealth.model.registry.outcome.OutcomeResult;
import dev.agenthealth.model.registry.outcome.OutcomeSource;
import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.window.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/** The counts do not depend on how outcomes are split into batches, nor on the batches' order and repetitions. */
@Tag("AHS-08")
@Tag("AHM-07")
class OutcomeSplitPropertyTest {

    /** Agents of a system. Stale reads copy all tables for each agent, which takes longer with each. */
    private static final int MAX_AGENTS = 20;

    private static TestSystem system = TestSystem.withoutPauses();
    private static final AtomicInteger AGENTS = new AtomicInteger();
    private static final int MAX_BATCHES = 6;
    private static final Instant NOW = system.clock().instant();

    /** An outcome and its batch. */
    record Reported(Outcome outcome, int batch) {}

    /** A request with a batch; those with smaller numbers are sent first. */
    record Sending(int batch, int order) {}

    @AfterContainer
    static void close() {
        system.close();
    }

    @Provide
    Arbitrary<List<Reported>> reports() {
        Arbitrary<Outcome> outcomes = Combinators.combine(
                        Arbitraries.of(OutcomeResult.class),
                        Arbitraries.of(ErrorType.class),
                        Arbitraries.oneOf(
                                Arbitraries.just(Outcome.NO_LATENCY),
                                Arbitraries.doubles().between(0, 10_000).ofScale(3),
                                Arbitraries.doubles().between(0, Outcome.MAX_LATENCY_MS)),
                        Arbitraries.integers().between(-300, 600),
                        Arbitraries.of(true, false))
                .as((result, type, latency, secondsAgo, breached) -> result == OutcomeResult.TRIGGER_FAILURE
                        ? new Outcome(result, type, Outcome.NO_LATENCY, NOW.minusSeconds(secondsAgo), false)
                        : new Outcome(result, type, latency, NOW.minusSeconds(secondsAgo), breached));
        return Combinators.combine(outcomes, Arbitraries.integers().between(0, MAX_BATCHES - 1))
                .as(Reported::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }

    /** Repeated batches at any position; every batch is also sent once. */
    @Provide
    Arbitrary<List<Sending>> repetitions() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, MAX_BATCHES - 1),
                        Arbitraries.integers().between(0, 1_000))
                .as(Sending::new)
                .list()
                .ofMaxSize(8);
    }

    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    void the_counts_are_those_of_the_outcomes(
            @ForAll("reports") List<Reported> reports, @ForAll("repetitions") List<Sending> repetitions) {
        Expectations expected = new Expectations(Map.of(
                Expectation.WINDOW_SECONDS, 300d,
                Expectation.RUNTIME_MS, 100d,
                Expectation.SLA_MS, 1_000d,
                Expectation.BASELINE_LATENCY_MS, 200d));
        String agentId = "agent_" + AGENTS.incrementAndGet();
        OutcomeStore store = new OutcomeStore(system.database());
        for (int batch : order(repetitions)) {
            List<Outcome> outcomes = reports.stream()
                    .filter(reported -> reported.batch() == batch)
                    .map(Reported::outcome)
                    .toList();
            if (!outcomes.isEmpty()) {
                store.count(new OutcomeBatch(agentId, OutcomeSource.SELF, "", "b-" + batch, outcomes), expected);
            }
        }
        SortedMap<Slice, OutcomeCounts> counts = new TreeMap<>();
        for (Reported reported : reports) {
            counts.merge(
                    expected.window().sliceAt(reported.outcome().occurredAt()),
                    OutcomeCounts.of(reported.outcome(), OutcomeSource.SELF, expected),
                    OutcomeCounts::plus);
        }
        assertThat(new StoredOutcomes(system, agentId).bySlice()).isEqualTo(counts);
    }

    /** What the agent declares when a batch is sent; the counts are read by the last one. */
    private static final List<Expectations> DECLARED = List.of(
            declared(100, 1_000, 200),
            declared(700, 90, 2_500),
            new Expectations(Map.of(Expectation.WINDOW_SECONDS, 300d)));

    private static Expectations declared(double runtimeMs, double slaMs, double baselineMs) {
        return new Expectations(Map.of(
                Expectation.WINDOW_SECONDS, 300d,
                Expectation.RUNTIME_MS, runtimeMs,
                Expectation.SLA_MS, slaMs,
                Expectation.BASELINE_LATENCY_MS, baselineMs));
    }

    /** A batch is also sent again with other outcomes, which are not counted, and by expectations that changed meanwhile. */
    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
    @Tag("AHM-09")
    void outcomes_are_judged_by_the_last_expectations_and_counted_once_whatever_changed_between(
            @ForAll("reports") List<Reported> reports, @ForAll("repetitions") List<Sending> repetitions) {
        check(reports, repetitions, Troubles.NONE);
    }

    @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void outcomes_are_counted_once_whatever_troubles_the_database_has(
            @ForAll("reports") List<Reported> reports,
            @ForAll("repetitions") List<Sending> repetitions,
            @ForAll(supplier = Troubles.Passing.class) Troubles troubles) {
        check(reports, repetitions, troubles);
    }

    private static void check(List<Reported> reports, List<Sending> repetitions, Troubles troubles) {
        int number = AGENTS.incrementAndGet();
        if (number % MAX_AGENTS == 0) {
            system.close();
            system = TestSystem.withoutPauses();
        }
        String agentId = "changing_" + number;
        OutcomeStore store = new OutcomeStore(system.database());
        Expectations expected = DECLARED.get(0);
        List<Outcome> counted = new ArrayList<>();
        Set<Integer> sent = new HashSet<>();
        int requests = 0;
        troubles.start(system);
        for (int batch : order(repetitions)) {
            List<Outcome> outcomes = reports.stream()
                    .filter(reported -> reported.batch() == batch)
                    .map(Reported::outcome)
                    .toList();
            if (outcomes.isEmpty()) {
                continue;
            }
            expected = DECLARED.get(requests++ * 7 % DECLARED.size());
            boolean isFirst = sent.add(batch);
            assertThat(store.count(batch(agentId, batch, outcomes), expected)).isEqualTo(isFirst);
            List<Outcome> other = new ArrayList<>(outcomes);
            other.add(outcomes.get(0));
            assertThat(store.count(batch(agentId, batch, other), expected))
                    .as("reused")
                    .isFalse();
            if (isFirst) {
                counted.addAll(outcomes);
            }
        }
        system.troubles().stop();
        SortedMap<Slice, OutcomeCounts> read = new SliceStore(system.database())
                .readFrom(agentId, NOW.minusSeconds(1_000).getEpochSecond(), expected)
                .counts();
        OutcomeCounts total = read.values().stream().reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
        assertThat(total.executions() + total.get(OutcomeCounter.TRIGGER_FAILURES))
                .isEqualTo(counted.size());
        assertJudged(total.get(OutcomeCounter.LONG_RUNNING), expected.longRunningMs(), counted, false);
        assertJudged(total.get(OutcomeCounter.ABOVE_BASELINE), expected.latencyLimitMs(), counted, false);
        assertJudged(total.get(OutcomeCounter.SLA_BREACHES), expected.slaMs(), counted, true);
    }

    /** What the specification says of these outcomes; a limit may be off by the width of a bucket. */
    private static void assertJudged(long count, OptionalDouble declared, List<Outcome> outcomes, boolean reported) {
        double limit = declared.orElse(Double.POSITIVE_INFINITY);
        assertThat(count).isBetween(above(1.06 * limit, outcomes, reported), above(0.94 * limit, outcomes, reported));
    }

    private static long above(double limit, List<Outcome> outcomes, boolean reported) {
        return outcomes.stream()
                .filter(outcome -> outcome.latencyMs() > limit || reported && outcome.slaBreached())
                .count();
    }

    private static OutcomeBatch batch(String agentId, int batch, List<Outcome> outcomes) {
        return new OutcomeBatch(agentId, OutcomeSource.SELF, "", "b-" + batch, outcomes);
    }

    /** Every batch once and some repeatedly, in the order of the numbers. */
    private static List<Integer> order(List<Sending> repetitions) {
        List<Sending> all = new ArrayList<>(repetitions);
        for (int batch = 0; batch < MAX_BATCHES; batch++) {
            all.add(new Sending(batch, batch * 617 % 1_000));
        }
        all.sort(Comparator.comparingInt(Sending::order));
        return all.stream().map(Sending::batch).toList();
    }
}
