package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.sweep.ProbeSample.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("SYS-02")
class ProbeSampleTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final int OWNER = 7;

    /** The result of an agent on one of so many hosts. */
    private static Result result(int agent, int host, boolean failed, Instant at) {
        return Result.of(OWNER, "agent-" + agent, "host-" + host, failed, at, 60);
    }

    private static ProbeSample sample(int agents, int hosts, int failed) {
        return ProbeSample.EMPTY.with(
                IntStream.range(0, agents)
                        .mapToObj(i -> result(i, i % hosts, i < failed, NOW))
                        .toList(),
                NOW);
    }

    @ParameterizedTest(name = "{2} of {0} agents on {1} hosts: {3}")
    @CsvSource({
        "0, 1, 0, false",
        "19, 19, 19, false",
        "20, 20, 20, true",
        "20, 3, 20, true",
        "20, 2, 20, false",
        "40, 8, 40, true",
        "40, 40, 21, true",
        "40, 40, 20, false",
        "40, 40, 0, false"
    })
    void probes_are_inconclusive_where_most_of_20_agents_on_3_hosts_fail(
            int agents, int hosts, int failed, boolean inconclusive) {
        assertThat(sample(agents, hosts, failed).isInconclusive()).isEqualTo(inconclusive);
    }

    @Test
    void a_host_that_fails_alone_is_no_trouble_of_the_network_however_many_agents_it_has() {
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            results.add(result(i, i < 34 ? 0 : i, i < 34, NOW));
        }
        ProbeSample sample = ProbeSample.EMPTY.with(results, NOW);
        assertThat(sample.failed()).isEqualTo(34);
        assertThat(sample.isInconclusive()).isFalse();
    }

    @Test
    void a_result_counts_until_two_intervals_and_two_minutes_later() {
        ProbeSample sample = sample(20, 20, 20);
        assertThat(sample.with(List.of(), NOW.plusSeconds(240)).isInconclusive())
                .isTrue();
        assertThat(sample.with(List.of(), NOW.plusSeconds(241)).results()).isEmpty();
    }

    @Test
    void the_later_result_of_an_agent_counts_whichever_arrives_first() {
        Result failed = result(1, 1, true, NOW);
        Result answered = result(1, 1, false, NOW.plusSeconds(1));
        ProbeSample sample = ProbeSample.EMPTY.with(List.of(answered), NOW).with(List.of(failed), NOW);
        assertThat(sample.results()).containsExactly(answered);
    }

    @Property
    void a_sample_does_not_depend_on_how_results_are_divided_among_runs(
            @ForAll @Size(max = 120) List<@IntRange(max = 200) Integer> agents,
            @ForAll @IntRange(min = 1, max = 50) int part) {
        List<Result> all = agents.stream()
                .distinct()
                .map(agent -> result(agent, agent % 7, agent % 3 == 0, NOW))
                .toList();
        ProbeSample whole = ProbeSample.EMPTY.with(all, NOW);
        ProbeSample parts = ProbeSample.EMPTY;
        for (int from = 0; from < all.size(); from += part) {
            parts = parts.with(all.subList(from, Math.min(all.size(), from + part)), NOW);
        }
        assertThat(parts).isEqualTo(whole);
        assertThat(whole.results()).hasSize(Math.min(all.size(), ProbeSample.MAX_AGENTS));
    }

    @Test
    void a_sample_of_many_agents_has_them_from_all_hosts() {
        assertThat(sample(10_000, 8, 10_000).hosts()).isEqualTo(8);
    }

    @Test
    void evidence_begins_and_ends_with_a_moment_and_silence_counts_from_the_end() {
        ProbeEvidence evidence = ProbeEvidence.NONE.with(sample(20, 20, 0), NOW);
        assertThat(evidence.isInconclusive()).isFalse();
        assertThat(evidence.conclusiveFrom()).isEqualTo(Instant.EPOCH);
        evidence = evidence.with(sample(20, 20, 20), NOW).with(sample(20, 20, 19), NOW.plusSeconds(9));
        assertThat(evidence.inconclusiveSince()).isEqualTo(NOW);
        assertThat(rule(evidence, NOW.plusSeconds(50)).graceFrom()).isEqualTo(NOW.plusSeconds(50));
        evidence = evidence.with(sample(20, 20, 10), NOW.plusSeconds(60));
        assertThat(evidence.isInconclusive()).isFalse();
        assertThat(rule(evidence, NOW.plusSeconds(90)).graceFrom()).isEqualTo(NOW.plusSeconds(60));
    }

    private static ProbeTimeoutRule rule(ProbeEvidence evidence, Instant now) {
        return ProbeTimeoutRules.of(evidence, NOW, now).byOwner().get(OWNER);
    }

    /** Each host as its number of agents and of those whose probes fail. */
    @ParameterizedTest
    @CsvSource({
        "3:2 3:2 3:2 11:4, false",
        "3:2 3:2 3:2 11:5, true",
        "8:8 8:8 2:0 2:0,  false",
        "8:8 8:8 2:1 2:0,  false",
        "8:8 8:8 3:2 2:0,  true"
    })
    void probes_are_inconclusive_where_more_than_half_fail_of_the_agents_and_of_the_hosts(
            String hosts, boolean inconclusive) {
        List<Result> results = new ArrayList<>();
        String[] each = hosts.split(" ");
        for (int host = 0; host < each.length; host++) {
            String[] numbers = each[host].split(":");
            for (int i = 0; i < Integer.parseInt(numbers[0]); i++) {
                results.add(result(100 * host + i, host, i < Integer.parseInt(numbers[1]), NOW));
            }
        }
        assertThat(ProbeSample.EMPTY.with(results, NOW).isInconclusive()).isEqualTo(inconclusive);
    }
}
