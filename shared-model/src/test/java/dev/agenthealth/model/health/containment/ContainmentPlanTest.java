package dev.agenthealth.model.health.containment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.health.VerdictReason;
import dev.agenthealth.model.health.containment.ContainmentCase.Step;
import dev.agenthealth.model.health.containment.ContainmentGuard.RoleState;
import dev.agenthealth.model.health.containment.ContainmentPlan.Due;
import dev.agenthealth.model.health.trust.Block;
import dev.agenthealth.model.health.trust.Containment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ContainmentPlanTest {

    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final long ROLE = 7;
    private static final Set<ContainmentReason> LOOPS = Set.of(ContainmentReason.LOOPING);

    @ParameterizedTest
    @CsvSource({
        // agents of the role, contained before, due, acting
        "1, 0, 1, 1",
        "4, 0, 4, 1",
        "9, 0, 9, 1",
        "10, 0, 10, 2",
        "10, 1, 9, 1",
        "10, 2, 8, 0",
        "100, 0, 30, 20",
        "0, 0, 1, 1",
    })
    void a_rule_contains_at_most_a_fifth_of_a_role_and_at_least_one_agent(
            long agents, long contained, int due, int acting) {
        RoleState role = new RoleState(agents, contained, agents - contained, 0);

        ContainmentPlan plan = ContainmentPlan.of(due(due), Map.of(ROLE, role), NOW);

        assertThat(plan.acting()).hasSize(acting);
        assertThat(plan.heldBack()).hasSize(due - acting);
        assertThat(plan.heldBack().values()).allMatch(ContainmentGuard.SHARE_OF_ROLE::equals);
    }

    @ParameterizedTest
    @CsvSource({
        // active agents that may be called, minimum, acting of five
        "20, 0, 4",
        "20, 15, 4",
        "20, 17, 3",
        "20, 19, 1",
        "20, 20, 0",
        "18, 20, 0",
    })
    void a_rule_keeps_the_minimum_of_a_pool(long available, long minimum, int acting) {
        RoleState role = new RoleState(20, 0, available, minimum);

        ContainmentPlan plan = ContainmentPlan.of(due(5), Map.of(ROLE, role), NOW);

        assertThat(plan.acting()).hasSize(acting);
        assertThat(plan.heldBack().values())
                .allMatch(guard -> guard == ContainmentGuard.POOL_MINIMUM || guard == ContainmentGuard.SHARE_OF_ROLE);
    }

    @ParameterizedTest
    @CsvSource({
        // author of the unblocking, seconds ago, whether the rule acts
        "key-1, 0, false",
        "key-1, 3599, false",
        "key-1, 3600, true",
        "containment/runaway, 0, true",
    })
    void a_rule_spares_an_agent_that_a_person_unblocked_within_the_last_hour(String actor, long ago, boolean acts) {
        Block unblocked = new Block(false, "", actor, NOW.minusSeconds(ago), 2);
        List<Due> due = List.of(new Due(begun("a", NOW), unblocked));

        ContainmentPlan plan = ContainmentPlan.of(due, Map.of(ROLE, new RoleState(10, 0, 10, 0)), NOW);

        assertThat(plan.acting()).hasSize(acts ? 1 : 0);
        List<ContainmentGuard> guards = acts ? List.of() : List.of(ContainmentGuard.UNBLOCKED_BY_PERSON);
        assertThat(List.copyOf(plan.heldBack().values())).isEqualTo(guards);
    }

    @Test
    void a_rule_needs_no_action_on_a_blocked_agent() {
        List<Due> due = List.of(new Due(begun("a", NOW), new Block(true, "", "key-1", NOW, 1)));

        ContainmentPlan plan = ContainmentPlan.of(due, Map.of(), NOW);

        assertThat(plan.acting()).isEmpty();
        assertThat(plan.heldBack()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = VerdictReason.class,
            names = {
                "SILENT",
                "DEAD",
                "REACHABLE_WITHOUT_HEARTBEATS",
                "NO_SIGN_OF_LIFE",
                "HEALTH_DEGRADED",
                "SCORE_UNHEALTHY",
                "WAITING_FOR_PERSON"
            })
    void a_missed_heartbeat_or_probe_is_no_reason(VerdictReason reason) {
        assertThat(ContainmentReason.among(Set.of(reason))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"LOOPING, LOOPING", "LOOPING_THREE_TIMES_AS_OFTEN, LOOPING", "HEALTH_UNHEALTHY, LOW_SUCCESS"})
    void a_reason_follows_from_the_verdict(VerdictReason found, ContainmentReason reason) {
        assertThat(ContainmentReason.among(Set.of(found))).containsExactly(reason);
    }

    @ParameterizedTest
    @CsvSource({
        "59, BLOCK, OBSERVE, WAITING, false",
        "60, BLOCK, OBSERVE, WAITING, true",
        "60, BLOCK, ENFORCE, WAITING, true",
        "60, BLOCK, OBSERVE, WOULD_ACT, false",
        "60, BLOCK, ENFORCE, WOULD_ACT, true",
        "60, BLOCK, ENFORCE, ACTED, false",
        "60, BLOCK, ENFORCE, RELEASED, false",
        "60, BLOCK, ENFORCE, OVER, false"
    })
    void a_case_is_due_after_the_reason_has_held(
            long seconds, ContainmentAction action, ContainmentMode mode, Step step, boolean due) {
        ContainmentCase open = begun("a", NOW.minusSeconds(seconds)).in(step);

        assertThat(open.isDue(rule(action, mode), NOW)).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({"3599, RESTART, false", "3600, RESTART, true", "1, BLOCK, true"})
    void a_rule_commands_an_agent_once_an_hour(long seconds, ContainmentAction action, boolean due) {
        ContainmentRule rule = rule(action, ContainmentMode.ENFORCE);
        ContainmentCase before = begun("a", NOW.minusSeconds(9000))
                .did(rule, NOW.minusSeconds(seconds))
                .in(Step.OVER);
        ContainmentCase again = before.begunAgain(LOOPS, NOW.minusSeconds(60));

        assertThat(again.isDue(rule, NOW)).isEqualTo(due);
    }

    @ParameterizedTest
    @CsvSource({
        // step, whether the reason holds, whether the agent is blocked, next step
        "WAITING, true, false, WAITING",
        "WAITING, false, false, gone",
        "WOULD_ACT, true, false, WOULD_ACT",
        "WOULD_ACT, false, false, OVER",
        "ACTED, true, true, ACTED",
        "ACTED, false, true, ACTED",
        "ACTED, true, false, RELEASED",
        "ACTED, false, false, OVER",
        "RELEASED, true, false, RELEASED",
        "RELEASED, false, false, OVER",
        "OVER, false, false, OVER",
        "OVER, true, false, WAITING",
    })
    void a_pass_moves_a_case_to_its_next_step(Step step, boolean holds, boolean blocked, String next) {
        ContainmentRule rule = rule(ContainmentAction.BLOCK, ContainmentMode.ENFORCE);
        ContainmentCase open = begun("a", NOW.minusSeconds(60));
        ContainmentCase before = step == Step.WAITING
                ? open
                : open.did(rule, NOW.minusSeconds(30)).in(step);

        Optional<ContainmentCase> after = before.seen(holds ? LOOPS : Set.of(), blocked, NOW);

        assertThat(after.map(found -> found.step().name()).orElse("gone")).isEqualTo(next);
    }

    @ParameterizedTest
    @CsvSource({
        // cases that are over, new agents, cases afterwards, new cases, removed cases
        "0, 1, 1, 1, 0",
        "0, 300, 200, 200, 0",
        "200, 1, 200, 1, 1",
        "200, 300, 200, 200, 200",
        "150, 60, 200, 60, 10",
    })
    void a_new_case_replaces_the_oldest_that_is_over(int over, int found, int kept, int begun, int removed) {
        ContainmentRule rule = rule(ContainmentAction.BLOCK, ContainmentMode.OBSERVE);
        List<ContainmentCase> cases = IntStream.range(0, over)
                .mapToObj(i -> begun("old" + i, NOW.minusSeconds(1000 - i))
                        .did(rule, NOW.minusSeconds(900))
                        .in(Step.OVER))
                .toList();
        List<ContainmentCandidate> candidates = IntStream.range(0, found)
                .mapToObj(i -> new ContainmentCandidate("runaway", "new" + i, ROLE, LOOPS))
                .toList();

        List<ContainmentChange> changes = ContainmentChange.seen(cases, candidates, Set.of(), NOW);

        assertThat(changes.stream().filter(change -> change.after().isPresent()))
                .hasSize(kept);
        assertThat(changes.stream().filter(change -> change.before().isEmpty())).hasSize(begun);
        List<String> gone = changes.stream()
                .filter(change -> change.after().isEmpty())
                .map(ContainmentChange::agentId)
                .toList();
        assertThat(gone)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, removed).mapToObj(i -> "old" + i).toList());
    }

    @ParameterizedTest
    @CsvSource({"true, true, ACTED", "true, false, OVER", "false, true, OVER"})
    void the_block_of_an_agent_that_is_gone_ends_its_case(boolean live, boolean blocked, Step next) {
        ContainmentCase acted = begun("a", NOW.minusSeconds(60))
                .did(rule(ContainmentAction.BLOCK, ContainmentMode.ENFORCE), NOW.minusSeconds(30));
        List<ContainmentCandidate> candidates =
                live ? List.of(new ContainmentCandidate("runaway", "a", ROLE, Set.of())) : List.of();

        List<ContainmentChange> changes =
                ContainmentChange.seen(List.of(acted), candidates, blocked ? Set.of("a") : Set.of(), NOW);

        assertThat(changes).hasSize(1);
        assertThat(changes.get(0).after().map(ContainmentCase::step)).contains(next);
    }

    @Test
    void trial_calls_begin_after_the_period_and_end_the_block_if_all_succeed() {
        Containment contained = Containment.by("runaway", Duration.ofMinutes(10), 2, NOW);

        assertThat(contained.mayTry(NOW.plusSeconds(599))).isFalse();
        assertThat(contained.mayTry(NOW.plusSeconds(600))).isTrue();
        Containment first = contained.trying(NOW.plusSeconds(600));
        Containment both = first.trying(NOW.plusSeconds(601));
        assertThat(both.mayTry(NOW.plusSeconds(602))).isFalse();
        assertThat(both.succeeded().isOver()).isFalse();
        assertThat(both.succeeded().succeeded().isOver()).isTrue();
    }

    @Test
    void a_trial_call_without_a_result_is_followed_by_another() {
        Instant later = NOW.plusSeconds(600);
        Containment tried =
                Containment.by("runaway", Duration.ofMinutes(10), 1, NOW).trying(later);

        assertThat(tried.undecided().mayTry(later)).isTrue();
        assertThat(tried.mayTry(later.plus(Containment.MAX_TRIAL).minusSeconds(1)))
                .isFalse();
        Instant abandoned = later.plus(Containment.MAX_TRIAL);
        assertThat(tried.mayTry(abandoned)).isTrue();
        assertThat(tried.trying(abandoned).mayTry(abandoned)).isFalse();
        assertThat(tried.trying(abandoned).succeeded().isOver()).isTrue();
    }

    @Test
    void a_failed_trial_call_doubles_the_period_up_to_a_day() {
        Containment contained =
                Containment.by("runaway", Duration.ofHours(10), 1, NOW).trying(NOW);

        Containment again = contained.failed(NOW);
        assertThat(again.period()).isEqualTo(Duration.ofHours(20));
        assertThat(again.trialsFrom()).isEqualTo(NOW.plus(Duration.ofHours(20)));
        assertThat(again.tried()).isEqualTo(Containment.Trials.NONE);
        assertThat(again.failed(NOW).period()).isEqualTo(Duration.ofDays(1));
    }

    private static List<Due> due(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> new Due(begun("a" + i, NOW.minusSeconds(60)), Block.NONE))
                .toList();
    }

    private static ContainmentCase begun(String agentId, Instant since) {
        return ContainmentCase.begun("runaway", agentId, ROLE, LOOPS, since);
    }

    private static ContainmentRule rule(ContainmentAction action, ContainmentMode mode) {
        return new ContainmentRule(
                "runaway",
                NOW,
                new ContainmentRule.Filter(Set.of(), Set.of(), Set.of(), Set.of(), Optional.empty()),
                new ContainmentRule.When(LOOPS, 0, Duration.ofSeconds(60)),
                action,
                mode,
                ContainmentRule.Release.DEFAULT);
    }
}
