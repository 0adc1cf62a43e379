package dev.agenthealth.model.registry.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.profile.Expectation;
import dev.agenthealth.model.registry.profile.Expectations;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

@Tag("AHS-08")
class OutcomeCountsPropertyTest {

    private static final Expectations EXPECTED = new Expectations(
            Map.of(Expectation.RUNTIME_MS, 20d, Expectation.BASELINE_LATENCY_MS, 40d, Expectation.SLA_MS, 110d));

    /** Who reported what. */
    record Report(OutcomeSource source, Outcome outcome) {

        OutcomeCounts counts() {
            return OutcomeCounts.of(outcome, source, EXPECTED);
        }
    }

    @Provide
    Arbitrary<List<Report>> reports() {
        Arbitrary<Double> latencies = Arbitraries.oneOf(
                Arbitraries.of(Outcome.NO_LATENCY, 0d, 100d, 110d, 120d, Outcome.MAX_LATENCY_MS),
                Arbitraries.doubles().between(0, 300));
        return Combinators.combine(
                        Arbitraries.of(OutcomeSource.class),
                        Arbitraries.of(OutcomeResult.class),
                        Arbitraries.of(ErrorType.class),
                        latencies,
                        Arbitraries.of(true, false))
                .as((source, result, error, latency, breached) ->
                        new Report(source, new Outcome(result, error, latency, Instant.EPOCH, breached)))
                .list()
                .ofMaxSize(60);
    }

    @Property
    void parts_add_up_to_the_whole_in_any_order(
            @ForAll("reports") List<Report> reports,
            @ForAll @IntRange(max = 60) int from,
            @ForAll @IntRange(max = 60) int to) {
        int first = Math.min(Math.min(from, to), reports.size());
        int second = Math.min(Math.max(from, to), reports.size());
        OutcomeCounts a = counts(reports.subList(0, first));
        OutcomeCounts b = counts(reports.subList(first, second));
        OutcomeCounts c = counts(reports.subList(second, reports.size()));
        assertThat(a.plus(b).plus(c))
                .isEqualTo(counts(reports))
                .isEqualTo(a.plus(b.plus(c)))
                .isEqualTo(c.plus(b).plus(a))
                .hasSameHashCodeAs(b.plus(c).plus(a));
    }

    @Property
    void every_number_is_what_counting_by_hand_gives(@ForAll("reports") List<Report> reports) {
        OutcomeCounts counts = counts(reports);
        List<Report> executions = reports.stream()
                .filter(r -> r.outcome().result() != OutcomeResult.TRIGGER_FAILURE)
                .toList();
        List<Outcome> timed = executions.stream()
                .map(Report::outcome)
                .filter(Outcome::hasLatency)
                .toList();
        assertThat(counts.executions()).isEqualTo(executions.size());
        assertThat(counts.get(OutcomeCounter.TRIGGER_FAILURES)).isEqualTo(reports.size() - executions.size());
        for (OutcomeSource source : OutcomeSource.values()) {
            assertThat(counts.get(source.successes())).isEqualTo(number(executions, source, OutcomeResult.SUCCESS));
            assertThat(counts.get(source.failures())).isEqualTo(number(executions, source, OutcomeResult.FAILURE));
        }
        long errors = 0;
        for (ErrorType error : ErrorType.values()) {
            errors += counts.get(error.counter());
        }
        assertThat(errors).isEqualTo(counts.failures());
        assertThat(counts.get(OutcomeCounter.LATENCIES))
                .isEqualTo(timed.size())
                .isEqualTo(counts.latencies().total());
        assertThat(counts.get(OutcomeCounter.LONG_RUNNING)).isEqualTo(above(timed, 100));
        assertThat(counts.get(OutcomeCounter.ABOVE_BASELINE)).isEqualTo(above(timed, 120));
        assertThat(counts.get(OutcomeCounter.SLA_BREACHES))
                .isEqualTo(executions.stream()
                        .map(Report::outcome)
                        .filter(o -> o.slaBreached() || o.latencyMs() > 110)
                        .count());
        assertThat(counts.get(OutcomeCounter.LATENCY_MICROS))
                .isEqualTo(timed.stream()
                        .mapToLong(o -> Math.round(o.latencyMs() * 1_000))
                        .sum());
        assertThat(counts.isNothing()).isEqualTo(reports.isEmpty());
    }

    private static OutcomeCounts counts(List<Report> reports) {
        return reports.stream().map(Report::counts).reduce(OutcomeCounts.NONE, OutcomeCounts::plus);
    }

    private static long number(List<Report> reports, OutcomeSource source, OutcomeResult result) {
        return reports.stream()
                .filter(r -> r.source() == source && r.outcome().result() == result)
                .count();
    }

    private static long above(List<Outcome> outcomes, double limit) {
        return outcomes.stream().filter(o -> o.latencyMs() > limit).count();
    }
}
