package dev.agenthealth.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.sweep.ProbeSample.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The evidence of probes when several owners have watched agents. Owner 1 is the victim, owner 2 the attacker, and all others are from 3 on. */
@Tag("SYS-02")
class ProbeVotesTest {

    private static final Instant NOW = Instant.parse("2026-02-08T10:00:00Z");
    private static final int VICTIM = 1;
    private static final int ATTACKER = 2;

    /** The results of an owner's agents, each on its own host of this owner. */
    private static Stream<Result> owned(int owner, int agents, int failed, Instant at) {
        return IntStream.range(0, agents).mapToObj(i -> new Result(owner, i, 100 * owner + i, i < failed, at, 60));
    }

    private static ProbeEvidence after(ProbeEvidence evidence, Stream<Result> found, Instant now) {
        return evidence.with(found.toList(), now);
    }

    private static ProbeEvidence of(Stream<Result> found) {
        return after(ProbeEvidence.NONE, found, NOW);
    }

    /** Each owner as its number of agents and the number of agents that fail. */
    @ParameterizedTest(name = "{0}: inconclusive for the first owner: {1}")
    @CsvSource({
        // too few agents, or fewer than three owners
        "3:3 3:3 3:3,             false",
        "1:1 30:30,               false",
        "19:19 19:19,             false",
        // three owners, and most of them
        "7:7 7:7 7:7,             true",
        "1:1 1:1 30:30,           true",
        "1:1 1:0 30:30,           false",
        "7:4 7:4 7:4,             true",
        "7:4 7:4 7:3,             false",
        "5:5 5:5 30:30 5:0,       true",
        "5:5 5:5 30:30 5:0 5:0,   true",
        "5:5 5:5 5:5 5:0 5:0 5:0, false",
        // the number of agents that answer is no matter
        "5:5 5:5 5:5 60:0,        true",
        // an owner with 20 agents is judged by its own agents alone
        "20:10 7:7 7:7 7:7,       false",
        "20:11 20:0 20:0,         true",
        // of four owners that begin at once, three are large, and the fourth votes
        "20:20 20:0 20:0 20:0,    true",
        "20:11 20:20 20:20 20:0,  true",
        "20:10 20:20 20:20 20:20, false"
    })
    void probes_are_inconclusive_by_the_own_agents_or_by_the_votes_of_three_owners(
            String owners, boolean inconclusive) {
        List<Result> found = new ArrayList<>();
        int owner = VICTIM;
        for (String each : owners.split(" ")) {
            String[] numbers = each.split(":");
            owned(owner++, Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), NOW)
                    .forEach(found::add);
        }
        ProbeEvidence evidence = of(found.stream());
        assertThat(evidence.silenceCountsFrom(VICTIM, NOW.plusSeconds(5)))
                .isEqualTo(inconclusive ? NOW.plusSeconds(5) : Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource({"false, 1970-01-01T00:00:00Z", "true, 2026-02-08T10:00:00Z"})
    void owners_that_fail_on_one_host_have_one_vote(boolean hosts, Instant from) {
        Stream<Result> failing =
                IntStream.range(3, 6).mapToObj(owner -> new Result(owner, 0, hosts ? owner : 9, true, NOW, 60));
        ProbeEvidence evidence = of(Stream.concat(failing, owned(ATTACKER, 30, 30, NOW)));
        assertThat(evidence.silenceCountsFrom(3, NOW)).isEqualTo(from);
    }

    @Property
    void one_owner_delays_no_death_of_another_owner(
            @ForAll @IntRange(min = 1, max = 40) int victims,
            @ForAll @Size(max = 4) List<@IntRange(min = 1, max = 30) Integer> others,
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 70) Integer> attacks) {
        ProbeEvidence evidence = ProbeEvidence.NONE;
        Instant now = NOW;
        for (int failed : attacks) {
            now = now.plusSeconds(60);
            // Some agents of the victim fail, but no majority of a large fleet.
            int silent = victims < ProbeSample.MIN_AGENTS ? victims : victims / 4;
            evidence = after(evidence, results(victims, silent, others, failed, now), now);
            assertThat(evidence.silenceCountsFrom(VICTIM, now)).isEqualTo(Instant.EPOCH);
            for (int i = 0; i < others.size(); i++) {
                assertThat(evidence.silenceCountsFrom(3 + i, now)).isEqualTo(Instant.EPOCH);
            }
        }
    }

    /** The other owners answer. The attacker has 60 agents, or none if the number is larger. */
    private static Stream<Result> results(int victims, int silent, List<Integer> others, int failed, Instant now) {
        Stream<Result> attacker = failed > 60 ? Stream.empty() : owned(ATTACKER, 60, failed, now);
        Stream<Result> answering =
                IntStream.range(0, others.size()).boxed().flatMap(i -> owned(3 + i, others.get(i), 0, now));
        return Stream.of(owned(VICTIM, victims, silent, now), answering, attacker)
                .flatMap(each -> each);
    }

    @Property
    void one_owner_takes_no_protection_while_the_network_fails_for_all_others(
            @ForAll @Size(min = 3, max = 6) List<@IntRange(min = 7, max = 40) Integer> others,
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 70) Integer> attacks,
            @ForAll @IntRange(max = 10) int hours) {
        ProbeEvidence evidence = ProbeEvidence.NONE;
        Instant now = NOW;
        for (int failed : attacks) {
            now = now.plusSeconds(3_600L * hours + 60);
            Instant at = now;
            Stream<Result> attacker = failed > 60 ? Stream.empty() : owned(ATTACKER, 60, failed, at);
            Stream<Result> failing = IntStream.range(0, others.size())
                    .boxed()
                    .flatMap(i -> owned(3 + i, others.get(i), others.get(i), at));
            evidence = after(evidence, Stream.concat(attacker, failing), now);
            for (int i = 0; i < others.size(); i++) {
                assertThat(evidence.silenceCountsFrom(3 + i, now)).isEqualTo(now);
            }
        }
    }

    @Property
    void the_judgement_of_twenty_agents_is_the_same_with_one_other_owner_and_without(
            @ForAll @Size(min = 1, max = 8) List<@IntRange(max = 20) Integer> failures,
            @ForAll @Size(min = 8, max = 8) List<@IntRange(max = 70) Integer> attacks) {
        ProbeEvidence alone = ProbeEvidence.NONE;
        ProbeEvidence attacked = ProbeEvidence.NONE;
        Instant now = NOW;
        for (int i = 0; i < failures.size(); i++) {
            now = now.plusSeconds(60);
            alone = after(alone, owned(VICTIM, 20, failures.get(i), now), now);
            Stream<Result> attack = attacks.get(i) > 60 ? Stream.empty() : owned(ATTACKER, 60, attacks.get(i), now);
            attacked = after(attacked, Stream.concat(owned(VICTIM, 20, failures.get(i), now), attack), now);
            assertThat(attacked.silenceCountsFrom(VICTIM, now)).isEqualTo(alone.silenceCountsFrom(VICTIM, now));
        }
    }

    @Test
    void no_owner_takes_places_of_another_owner() {
        ProbeSample sample = ProbeSample.EMPTY.with(
                Stream.of(owned(VICTIM, 12, 0, NOW), owned(ATTACKER, 60, 0, NOW), owned(3, 60, 0, NOW))
                        .flatMap(each -> each)
                        .toList(),
                NOW);
        assertThat(sample.byOwner().values())
                .extracting(own -> own.results().size())
                .containsExactly(12, 33, 32);
        ProbeSample many = ProbeSample.EMPTY.with(
                IntStream.range(0, 50)
                        .boxed()
                        .flatMap(owner -> owned(owner, 9, 0, NOW))
                        .toList(),
                NOW);
        assertThat(many.byOwner().values())
                .hasSize(ProbeSample.MAX_OWNERS)
                .allMatch(own -> own.results().size() >= 3);
    }

    @Test
    void a_fourth_owner_ends_no_episode_of_three_large_owners() {
        ProbeEvidence evidence = of(IntStream.of(VICTIM, 3, 4).boxed().flatMap(owner -> owned(owner, 20, 0, NOW)));
        Instant failure = NOW.plusSeconds(60);
        evidence = after(evidence, owned(VICTIM, 20, 20, failure), failure);
        for (int minute = 2; minute < 60; minute++) {
            Instant now = NOW.plusSeconds(60L * minute);
            evidence = after(evidence, owned(ATTACKER, 60, 0, now), now);
            evidence = after(evidence, owned(VICTIM, 20, 20, now), now);
            evidence = after(evidence, Stream.concat(owned(3, 20, 0, now), owned(4, 20, 0, now)), now);
            assertThat(evidence.silenceCountsFrom(VICTIM, now)).isEqualTo(now);
        }
        assertThat(evidence.sample().byOwner().values())
                .extracting(own -> own.results().size())
                .containsExactly(20, 17, 20, 20);
    }

    @Test
    void a_newcomer_replaces_no_owner_of_a_full_sample() {
        ProbeEvidence evidence = of(IntStream.rangeClosed(11, 10 + ProbeSample.MAX_OWNERS)
                .boxed()
                .flatMap(owner -> owned(owner, 2, 0, NOW)));
        evidence = after(evidence, owned(ATTACKER, 60, 0, NOW), NOW);
        assertThat(evidence.sample().byOwner()).hasSize(ProbeSample.MAX_OWNERS).doesNotContainKey(ATTACKER);
    }

    @Test
    void an_owner_keeps_its_places_while_some_of_its_results_are_missing() {
        ProbeEvidence evidence = of(IntStream.of(VICTIM, 3, 4).boxed().flatMap(owner -> owned(owner, 20, 0, NOW)));
        Instant later = NOW.plusSeconds(241);
        evidence = after(evidence, IntStream.of(3, 4).boxed().flatMap(owner -> owned(owner, 20, 0, later)), later);
        // Nothing of the victim is left: another owner may become large.
        assertThat(after(evidence, owned(ATTACKER, 60, 0, later), later).isLargeFleet(ATTACKER))
                .isTrue();
        Instant gone = later.plusSeconds(241);
        evidence = after(
                ProbeEvidence.NONE,
                IntStream.of(VICTIM, 3, 4).boxed().flatMap(owner -> owned(owner, 20, 0, later)),
                later);
        evidence = after(evidence, owned(VICTIM, 12, 0, later.plusSeconds(60)), later.plusSeconds(60));
        evidence = after(
                evidence,
                Stream.of(owned(3, 20, 0, gone), owned(4, 20, 0, gone), owned(ATTACKER, 60, 0, gone))
                        .flatMap(each -> each),
                gone);
        assertThat(evidence.sample().byOwner().get(VICTIM).results()).hasSize(12);
        assertThat(evidence.sample().byOwner().get(ATTACKER).results()).hasSize(ProbeSample.MIN_AGENTS - 1);
        evidence = after(evidence, owned(VICTIM, 20, 20, gone), gone);
        assertThat(evidence.silenceCountsFrom(VICTIM, gone.plusSeconds(9))).isEqualTo(gone.plusSeconds(9));
    }

    @Test
    void an_episode_ends_by_answers_of_the_own_agents_and_not_by_fewer_results() {
        ProbeEvidence evidence = of(owned(VICTIM, 20, 20, NOW));
        Instant later = NOW.plusSeconds(241);
        ProbeEvidence fewer = after(evidence, owned(VICTIM, 5, 3, later), later);
        assertThat(fewer.isInconclusive()).isTrue();
        assertThat(after(fewer, owned(VICTIM, 5, 2, later), later).isInconclusive())
                .isFalse();
        ProbeEvidence none = after(evidence, Stream.empty(), later);
        assertThat(none.isInconclusive()).isTrue();
        Instant sixHours = NOW.plus(ProbeEpisode.MAX_TROUBLE);
        assertThat(after(none, Stream.empty(), sixHours).isInconclusive()).isFalse();
    }

    /**
     * The results of a minute.
     *
     * @param failed the failures of each large owner
     * @param attackers the agents of the fourth owner
     * @param attackersFailed the failures among them
     */
    private record Step(List<Integer> failed, int attackers, int attackersFailed) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 20).list().ofSize(3),
                        Arbitraries.integers().between(0, 90),
                        Arbitraries.integers().between(0, 90))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }

    @Property
    void the_judgement_of_three_large_owners_is_the_same_with_a_fourth_owner_and_without(
            @ForAll("steps") List<Step> steps, @ForAll @IntRange(max = 3) int small) {
        List<Integer> large = List.of(VICTIM, 3, 4);
        ProbeEvidence alone = ProbeEvidence.NONE;
        ProbeEvidence attacked = ProbeEvidence.NONE;
        for (int i = 0; i < steps.size(); i++) {
            Instant now = NOW.plusSeconds(60L * i);
            Step step = steps.get(i);
            List<Stream<Result>> owned = new ArrayList<>();
            for (int j = 0; j < large.size(); j++) {
                owned.add(owned(large.get(j), 20, step.failed().get(j), now));
            }
            for (int j = 0; j < small; j++) {
                owned.add(owned(10 + j, 2, step.failed().get(j) % 3, now));
            }
            for (Stream<Result> each : owned) {
                List<Result> found = each.toList();
                alone = after(alone, found.stream(), now);
                attacked = after(attacked, found.stream(), now);
                // The attacker comes later than the three owners: three keep their places.
                if (i > 0) {
                    attacked = after(attacked, owned(ATTACKER, step.attackers(), step.attackersFailed(), now), now);
                }
            }
            for (int owner : large) {
                assertThat(attacked.silenceCountsFrom(owner, now)).isEqualTo(alone.silenceCountsFrom(owner, now));
                assertThat(attacked.owners().get(owner))
                        .isEqualTo(alone.owners().get(owner));
            }
        }
    }

    /** Results of some agents of an owner in a minute. */
    private record Found(int owner, int agents, int failed, int minutes) {}

    @Provide
    Arbitrary<List<Found>> found() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 25),
                        Arbitraries.of(0, 1, 5, 12, 20, 40),
                        Arbitraries.of(0, 1, 12, 20, 40),
                        Arbitraries.of(0, 0, 0, 0, 1, 3))
                .as(Found::new)
                .list()
                .ofMaxSize(150);
    }

    @Property
    void owners_that_come_and_go_lose_neither_places_nor_episodes_to_other_owners(@ForAll("found") List<Found> steps) {
        ProbeEvidence evidence = ProbeEvidence.NONE;
        Instant now = NOW;
        for (Found step : steps) {
            now = now.plusSeconds(60L * step.minutes() + 1);
            ProbeEvidence without = after(evidence, Stream.empty(), now);
            ProbeEvidence next = after(evidence, owned(step.owner(), step.agents(), step.failed(), now), now);
            assertThat(next.sample().results()).hasSizeLessThanOrEqualTo(ProbeSample.MAX_AGENTS);
            Map<Integer, ProbeSample> samples = next.sample().byOwner();
            assertThat(samples).hasSizeLessThanOrEqualTo(ProbeSample.MAX_OWNERS);
            assertThat(samples.values().stream().filter(ProbeSample::isLarge).count())
                    .isLessThanOrEqualTo(ProbeSample.MAX_LARGE);
            without.sample().byOwner().forEach((owner, own) -> {
                assertThat(samples).containsKey(owner);
                if (owner != step.owner() && own.isLarge()) {
                    assertThat(samples.get(owner).isLarge()).isTrue();
                    assertThat(next.owners().get(owner).isInconclusive())
                            .as("large owner %d", owner)
                            .isEqualTo(samples.get(owner).isInconclusive());
                } else if (owner != step.owner() && without.owners().containsKey(owner)) {
                    boolean lasts = without.owners().get(owner).isInconclusive();
                    assertThat(!lasts || next.owners().get(owner).isInconclusive())
                            .as("owner %d", owner)
                            .isTrue();
                }
            });
            evidence = next;
        }
    }

    @Test
    void an_owner_does_not_change_the_result_of_an_agent_of_another_owner() {
        Result failed = Result.of(VICTIM, "Aa", "host", true, NOW, 60);
        Result answered = Result.of(ATTACKER, "BB", "host", false, NOW.plusSeconds(1), 60);
        assertThat(answered.agent()).isEqualTo(failed.agent());
        assertThat(ProbeSample.EMPTY.with(List.of(failed, answered), NOW).results())
                .containsExactly(failed, answered);
    }

    @Test
    void silence_that_did_not_count_does_not_count_after_an_owner_gets_twenty_agents_or_loses_them() {
        // The network fails for owners with few agents, and for a large owner.
        ProbeEvidence evidence =
                of(Stream.of(owned(3, 5, 5, NOW), owned(4, 5, 5, NOW), owned(5, 5, 5, NOW), owned(VICTIM, 20, 20, NOW))
                        .flatMap(each -> each));
        Instant over = NOW.plusSeconds(60);
        evidence = after(
                evidence,
                Stream.of(owned(3, 5, 0, over), owned(4, 5, 0, over), owned(5, 5, 0, over), owned(VICTIM, 20, 2, over))
                        .flatMap(each -> each),
                over);
        assertThat(evidence.isInconclusive()).isFalse();
        assertThat(evidence.silenceCountsFrom(VICTIM, over)).isEqualTo(over);
        assertThat(evidence.silenceCountsFrom(3, over)).isEqualTo(over);
        Instant later = over.plusSeconds(60);
        evidence = after(evidence, owned(3, 20, 2, later), later);
        assertThat(evidence.sample().byOwner().get(3).isLarge()).isTrue();
        assertThat(evidence.silenceCountsFrom(3, later)).isEqualTo(over);
        // The agents of the large owner are outdated, but for five of them.
        Instant gone = over.plusSeconds(241);
        evidence = after(evidence, owned(VICTIM, 5, 2, gone), gone);
        assertThat(evidence.silenceCountsFrom(VICTIM, gone)).isEqualTo(over);
    }

    @Test
    void answers_of_one_other_owner_do_not_end_the_protection_after_six_hours() {
        Stream<Result> found = Stream.of(
                        owned(3, 7, 7, NOW), owned(4, 7, 6, NOW), owned(5, 7, 7, NOW), owned(ATTACKER, 9, 0, NOW))
                .flatMap(each -> each);
        ProbeEvidence evidence = of(found);
        Instant sixHours = NOW.plus(ProbeEpisode.MAX_TROUBLE);
        Instant later = sixHours.plusSeconds(600);
        // Two owners answer: the attacker, and an agent of owner 4.
        assertThat(evidence.silenceCountsFrom(3, later)).isEqualTo(sixHours);
        ProbeEvidence withoutAnswers = after(evidence, owned(4, 7, 7, NOW), NOW);
        assertThat(withoutAnswers.silenceCountsFrom(3, later)).isEqualTo(later);
    }

    @Test
    void one_event_reports_the_episodes_of_all_owners() {
        ProbeEvidence evidence = of(Stream.concat(owned(VICTIM, 20, 20, NOW), owned(ATTACKER, 20, 0, NOW)));
        ProbeSample concerned = evidence.inconclusivePart(evidence.sample());
        assertThat(concerned.results()).hasSize(20);
        assertThat(concerned.failed()).isEqualTo(20);
        Instant second = NOW.plusSeconds(60);
        evidence = after(evidence, owned(ATTACKER, 20, 20, second), second);
        assertThat(evidence.inconclusiveSince()).isEqualTo(NOW);
        evidence = after(evidence, owned(VICTIM, 20, 0, second.plusSeconds(1)), second.plusSeconds(1));
        assertThat(evidence.inconclusiveSince()).isEqualTo(NOW);
        assertThat(evidence.silenceCountsFrom(VICTIM, second.plusSeconds(9))).isEqualTo(second.plusSeconds(1));
        Instant over = second.plusSeconds(2);
        evidence = after(evidence, owned(ATTACKER, 20, 0, over), over);
        assertThat(evidence.isInconclusive()).isFalse();
        assertThat(evidence.conclusiveFrom()).isEqualTo(over);
        assertThat(evidence.silenceCountsFrom(VICTIM, over)).isEqualTo(second.plusSeconds(1));
    }

    @Test
    void one_failed_probe_shows_nothing_once_three_owners_are_compared_or_the_owner_has_twenty_agents() {
        ProbeEvidence two = of(Stream.concat(owned(VICTIM, 1, 1, NOW), owned(ATTACKER, 30, 30, NOW)));
        assertThat(two.isLargeFleet(VICTIM)).isFalse();
        assertThat(two.isLargeFleet(ATTACKER)).isTrue();
        assertThat(after(two, owned(3, 1, 0, NOW), NOW).isLargeFleet(VICTIM)).isTrue();
        ProbeTimeoutRules rules = ProbeTimeoutRules.of(two, NOW, NOW.plusSeconds(9));
        assertThat(rules.usual()).isEqualTo(new ProbeTimeoutRule(NOW, false));
        assertThat(rules.byOwner()).isEqualTo(Map.of(ATTACKER, new ProbeTimeoutRule(NOW.plusSeconds(9), true)));
    }

    @Test
    void few_owners_keep_their_episodes() {
        ProbeEvidence evidence = ProbeEvidence.NONE;
        Instant now = NOW;
        for (int owner = 1; owner <= 8; owner++) {
            evidence = after(evidence, owned(owner, 20, 20, now), now);
            now = now.plusSeconds(300);
        }
        assertThat(evidence.owners()).hasSize(ProbeEvidence.MAX_OWNERS).containsKeys(5, 6, 7, 8);
    }
}
