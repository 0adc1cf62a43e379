package dev.agenthealth.model.registry.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.registry.upstream.UpstreamRule.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamRuleTest {

    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

    /** Agents of a provider: so many failing agents of so many owners, and so many agents whose calls are answered. */
    private static List<UpstreamUse> fleet(String provider, int failing, int owners, int secondsAgo, int answered) {
        List<UpstreamUse> uses = new ArrayList<>();
        for (int i = 0; i < failing; i++) {
            uses.add(use(
                    provider + i,
                    i % owners,
                    new UpstreamCall(
                            provider, "m", Optional.of(UpstreamError.UNAVAILABLE), NOW.minusSeconds(secondsAgo))));
        }
        for (int i = 0; i < answered; i++) {
            uses.add(use(provider + "ok" + i, 99, new UpstreamCall(provider, "m", Optional.empty(), NOW)));
        }
        return uses;
    }

    private static UpstreamUse use(String agentId, long owner, UpstreamCall call) {
        return new UpstreamUse(agentId, owner, UpstreamCalls.NONE.plus(List.of(call), call.at()));
    }

    private static List<Change> changes(List<UpstreamUse> uses, Upstreams open) {
        return UpstreamRule.changes(uses, open, Instant.EPOCH, NOW);
    }

    private static Upstreams open(List<UpstreamUse> uses, Instant at) {
        return new Upstreams(UpstreamRule.changes(uses, Upstreams.NONE, Instant.EPOCH, at).stream()
                .flatMap(change -> change.after().stream())
                .toList());
    }

    @ParameterizedTest(name = "{0} failing agents of {1} owners {2} s ago, {3} other users: {4}")
    @CsvSource({
        "4, 2, 0, 0, false",
        "5, 2, 0, 1000, true",
        "5, 1, 0, 10, true",
        "5, 1, 0, 11, false",
        "12, 1, 0, 24, true",
        "12, 1, 0, 25, false",
        "5, 2, 180, 0, true",
        "5, 2, 181, 0, false",
        "500, 300, 200, 0, false",
    })
    void a_problem_begins(int failing, int owners, int secondsAgo, int others, boolean begins) {
        List<Change> changes = changes(fleet("a", failing, owners, secondsAgo, others), Upstreams.NONE);
        assertThat(changes).hasSize(begins ? 1 : 0);
        if (begins) {
            UpstreamProblem problem = changes.get(0).after().orElseThrow();
            assertThat(problem.counts())
                    .isEqualTo(new UpstreamProblem.Counts(
                            failing,
                            failing,
                            owners,
                            failing + others,
                            new UpstreamFigures(List.of(
                                    new UpstreamFigures.Part("m", UpstreamError.UNAVAILABLE, failing, failing)))));
            assertThat(problem.since()).isEqualTo(NOW);
            assertThat(problem.concerns("a0")).isTrue();
            assertThat(problem.concerns("aok0")).isFalse();
        }
    }

    @ParameterizedTest(name = "{0} agents that failed {1} s ago: {2}")
    @CsvSource({"3, 300, false", "2, 0, true", "5, 301, true", "0, 0, true", "3, 0, false"})
    void a_problem_ends(int failing, int secondsAgo, boolean ends) {
        Upstreams open = open(fleet("a", 6, 2, 600, 0), NOW.minusSeconds(600));
        assertThat(open.problems()).hasSize(1);
        List<Change> changes = changes(fleet("a", failing, 2, secondsAgo, 3), open);
        assertThat(changes).singleElement().matches(change -> change.isOver() == ends && !change.begins());
    }

    @Test
    void a_problem_does_not_end_while_the_registry_heard_of_no_calls() {
        Upstreams open = open(fleet("a", 6, 2, 600, 0), NOW.minusSeconds(600));
        assertThat(UpstreamRule.changes(List.of(), open, NOW.minusSeconds(299), NOW))
                .noneMatch(Change::isOver);
        assertThat(UpstreamRule.changes(List.of(), open, NOW.minusSeconds(300), NOW))
                .singleElement()
                .matches(Change::isOver);
    }

    @Test
    void an_agent_that_makes_no_call_stays_concerned_until_a_call_is_answered() {
        Upstreams open = open(fleet("a", 6, 2, 600, 0), NOW.minusSeconds(600));
        List<UpstreamUse> uses = new ArrayList<>(fleet("a", 4, 2, 0, 0));
        uses.add(
                use("quiet", 1, new UpstreamCall("a", "m", Optional.of(UpstreamError.TIMEOUT), NOW.minusSeconds(590))));
        UpstreamProblem after = changes(uses, open).get(0).after().orElseThrow();
        assertThat(after.concerns("quiet")).isTrue();
        assertThat(after.counts().agents()).isEqualTo(5);
        assertThat(after.counts().most()).isEqualTo(6);
        assertThat(after.since()).isEqualTo(NOW.minusSeconds(600));
    }

    @Test
    void each_provider_is_a_problem_of_its_own_and_a_fleet_has_at_most_fifty() {
        List<UpstreamUse> uses = new ArrayList<>(fleet("a", 6, 2, 0, 0));
        uses.addAll(fleet("b", 3, 2, 0, 0));
        uses.addAll(fleet("c", 5, 2, 0, 0));
        Upstreams open = open(uses, NOW);
        assertThat(open.problems()).extracting(UpstreamProblem::provider).containsExactly("a", "c");
        assertThat(open.of("c1")).map(UpstreamProblem::provider).contains("c");
        assertThat(open.of("b1")).isEmpty();
        List<UpstreamUse> many = new ArrayList<>(uses);
        for (int i = 0; i < 60; i++) {
            many.addAll(fleet("p" + i + "-", 5, 2, 0, 0));
        }
        assertThat(changes(many, open)).filteredOn(Change::begins).hasSize(UpstreamRule.MAX_PROBLEMS - 2);
    }

    @Test
    void unchanged_numbers_are_no_change() {
        List<UpstreamUse> uses = fleet("a", 6, 2, 0, 3);
        assertThat(changes(uses, open(uses, NOW))).isEmpty();
    }

    @Test
    void figures_are_bounded_and_begin_with_the_model_of_most_agents() {
        List<UpstreamUse> uses = new ArrayList<>(fleet("a", 5, 2, 0, 0));
        for (int i = 0; i < 40; i++) {
            uses.add(use("more" + i, 1, new UpstreamCall("a", "m" + i, Optional.of(UpstreamError.TIMEOUT), NOW)));
        }
        UpstreamFigures figures = open(uses, NOW).problems().get(0).counts().figures();
        assertThat(figures.parts()).hasSize(UpstreamFigures.MAX_PARTS);
        assertThat(figures.models().get(0)).isEqualTo("m");
        assertThat(figures.errors()).containsExactly(UpstreamError.TIMEOUT, UpstreamError.UNAVAILABLE);
    }
}
