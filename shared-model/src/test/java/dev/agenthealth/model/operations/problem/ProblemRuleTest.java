package dev.agenthealth.model.operations.problem;

import static dev.agenthealth.model.operations.problem.ProblemEvents.NOW;
import static dev.agenthealth.model.operations.problem.ProblemEvents.START;
import static dev.agenthealth.model.operations.problem.ProblemEvents.after;
import static dev.agenthealth.model.operations.problem.ProblemEvents.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.ProblemId;
import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProblemRuleTest {

    private static final String AGENT = "agent:a";
    private static final String SILENT = "agent.lifecycle active>unhealthy heartbeat_timeout";
    private static final String DEAD = "agent.lifecycle unhealthy>dead heartbeat_timeout";
    private static final String RENEWED = "agent.lifecycle dead>active re_registered";
    private static final String LEFT = "agent.lifecycle active>deregistered deregistered";
    private static final String FAILS = "agent.health healthy>unhealthy executions";
    private static final String WORKS = "agent.health unhealthy>healthy executions";

    @ParameterizedTest
    @CsvSource({
        "agent.lifecycle active>unhealthy heartbeat_timeout, agent:a, open",
        "agent.lifecycle unhealthy>dead heartbeat_timeout, agent:a, open",
        "agent.lifecycle draining>dead drain_timeout, agent:a, open",
        "agent.lifecycle draining>dead drain_completed, agent:a, none",
        "agent.lifecycle registering>active registered, agent:a, none",
        "agent.lifecycle active>draining drain_initiated, agent:a, none",
        "agent.health healthy>degraded executions, agent.health:a, open",
        "agent.health healthy>unhealthy lifecycle, agent.health:a, none",
        "agent.health unknown>healthy executions, agent.health:a, none",
        "agent.score Healthy>Degraded, agent.score:a, open",
        "agent.score Inactive>Healthy, agent.score:a, none",
        "agent.stalled none>warning, agent.stall:a, open",
        "agent.certificate_expiring none>warning, agent.certificate_expiring:a, open",
        "agent.declaration_changed none>changed, agent.declaration_changed:a, open",
        "agent.clock_drift none>warning, agent.clock_drift:a, open",
        "agent.trust none>blocked, agent.trust:a, open",
        "pool.below_minimum 1>warning, pool:r, open",
        "registry.blackout none>critical, registry:blackout, open",
        "lease.expired none>warning, lease:/, none"
    })
    void an_event_opens_a_problem_or_none(String event, String subject, String state) {
        SubjectProblem problem = after(event).get(subject);
        boolean open = problem != null && problem.isShown(NOW) && problem.state(NOW) == ProblemState.OPEN;
        assertThat(open).isEqualTo(state.equals("open"));
    }

    @ParameterizedTest
    @CsvSource({
        "agent.lifecycle active>unhealthy heartbeat_timeout, agent.lifecycle unhealthy>active heartbeat_resumed, agent:a",
        "agent.lifecycle unhealthy>dead heartbeat_timeout, agent.lifecycle dead>active re_registered, agent:a",
        "agent.lifecycle unhealthy>dead heartbeat_timeout, agent.lifecycle dead>deregistered deregistered, agent:a",
        "agent.health healthy>degraded executions, agent.health degraded>healthy executions, agent.health:a",
        "agent.health healthy>degraded executions, agent.health degraded>unknown executions, agent.health:a",
        "agent.score Healthy>Degraded, agent.score Degraded>Inactive, agent.score:a",
        "agent.stalled none>warning, agent.stall_over warning>none, agent.stall:a",
        "agent.declaration_changed none>changed, agent.declaration_changed changed>none, agent.declaration_changed:a",
        "agent.trust none>blocked, agent.trust blocked>unblocked, agent.trust:a",
        "pool.below_minimum 1>warning, pool.recovered 2>info, pool:r",
        "registry.blackout none>critical, registry.blackout_over none>info, registry:blackout"
    })
    void an_event_ends_the_problem_of_its_subject(String begins, String ends, String subject) {
        SubjectProblem problem = after(begins, ends).get(subject);
        assertThat(problem.state(NOW)).isEqualTo(ProblemState.RESOLVED);
        assertThat(problem.resolvedAt()).contains(START.plusSeconds(1));
        assertThat(problem.isShown(NOW)).isTrue();
    }

    @Test
    void an_agent_that_is_unhealthy_still_waits_for_a_person() {
        assertThat(after("agent.waiting none>warning", SILENT)
                        .get("agent.waiting:a")
                        .state(NOW))
                .isEqualTo(ProblemState.OPEN);
    }

    @Test
    void an_agent_that_was_unblocked_and_restarted_often_may_be_blocked_again() {
        Map<String, SubjectProblem> problems = after("agent.trust none>blocked", "agent.trust blocked>unblocked");
        for (int i = 2; i < 100; i++) {
            problems = ProblemRule.after(problems, List.of(event(i, i % 2 == 0 ? LEFT : RENEWED)), NOW);
        }
        problems = ProblemRule.after(problems, List.of(event(102, "agent.trust none>blocked")), NOW);
        assertThat(problems.get("agent.trust:a").state(NOW)).isEqualTo(ProblemState.OPEN);
    }

    /** Which of the agent's other problems are over with an event of its lifecycle. */
    @ParameterizedTest
    @CsvSource({
        "agent.health healthy>degraded executions, agent.health:a, RESOLVED, RESOLVED, OPEN",
        "agent.score Healthy>Degraded, agent.score:a, RESOLVED, RESOLVED, OPEN",
        "agent.stalled none>warning, agent.stall:a, RESOLVED, RESOLVED, OPEN",
        "agent.waiting none>warning, agent.waiting:a, RESOLVED, RESOLVED, OPEN",
        "agent.run_failed none>error, agent.run:a, RESOLVED, RESOLVED, RESOLVED",
        "agent.clock_drift none>warning, agent.clock_drift:a, RESOLVED, RESOLVED, RESOLVED",
        "agent.drain_timeout none>warning, agent.drain_timeout:a, RESOLVED, RESOLVED, RESOLVED",
        "agent.certificate_expiring none>warning, agent.certificate_expiring:a, OPEN, RESOLVED, OPEN",
        "agent.declaration_changed none>changed, agent.declaration_changed:a, OPEN, RESOLVED, OPEN",
        "agent.trust none>blocked, agent.trust:a, OPEN, OPEN, OPEN"
    })
    void a_life_that_ends_takes_the_other_problems_with_it(
            String begins, String subject, ProblemState dead, ProblemState left, ProblemState renewed) {
        assertThat(after(begins, DEAD).get(subject).state(NOW)).isEqualTo(dead);
        assertThat(after(begins, LEFT).get(subject).state(NOW)).isEqualTo(left);
        assertThat(after(begins, RENEWED).get(subject).state(NOW)).isEqualTo(renewed);
    }

    @ParameterizedTest
    @CsvSource({
        "agent.health healthy>degraded executions, agent.health:a",
        "agent.score Healthy>Degraded, agent.score:a",
        "agent.certificate_expiring none>warning, agent.certificate_expiring:a",
        "agent.declaration_changed none>changed, agent.declaration_changed:a"
    })
    void what_goes_on_over_a_restart_is_the_same_problem_after_it(String begins, String subject) {
        SubjectProblem problem = after(begins, LEFT, RENEWED).get(subject);
        assertThat(problem.state(NOW)).isEqualTo(ProblemState.OPEN);
        assertThat(problem.openedAt()).isEqualTo(START);
        assertThat(problem.occurrences()).isEqualTo(1);
    }

    @Test
    void what_ends_while_the_agent_is_gone_is_over_when_it_returns() {
        assertThat(after(FAILS, LEFT, WORKS, RENEWED).get("agent.health:a").state(NOW))
                .isEqualTo(ProblemState.RESOLVED);
    }

    @ParameterizedTest
    @CsvSource({
        "agent.health healthy>unhealthy executions, agent.health unhealthy>healthy executions, agent.health:a",
        "agent.score Healthy>Degraded, agent.score Degraded>Healthy, agent.score:a"
    })
    void what_gets_bad_while_the_agent_is_gone_is_a_problem_when_it_returns(
            String begins, String ends, String subject) {
        for (List<String> gone : List.of(List.of(DEAD), List.of(LEFT), List.of(DEAD, LEFT))) {
            String[] events = Stream.of(gone, List.of(begins, RENEWED))
                    .flatMap(List::stream)
                    .toArray(String[]::new);
            SubjectProblem problem = after(events).get(subject);
            assertThat(problem.state(NOW)).as(gone + "").isEqualTo(ProblemState.OPEN);
            assertThat(problem.occurrences()).isEqualTo(1);
        }
        assertThat(after(DEAD, begins, LEFT, RENEWED).get(subject).state(NOW)).isEqualTo(ProblemState.OPEN);
        assertThat(after(DEAD, begins, ends, RENEWED).get(subject).isShown(NOW)).isFalse();
        SubjectProblem second = after(begins, ends, DEAD, begins).get(subject);
        assertThat(second.state(NOW)).isEqualTo(ProblemState.RESOLVED);
        assertThat(second.occurrences()).isEqualTo(1);
        assertThat(after(begins, ends, DEAD, begins, RENEWED).get(subject).occurrences())
                .isEqualTo(2);
        assertThat(after(begins, DEAD, RENEWED).get(subject).occurrences()).isEqualTo(1);
    }

    @Test
    void a_dead_agent_has_no_other_problem_until_it_registers_again() {
        assertThat(after(DEAD, FAILS).get("agent.health:a").isShown(NOW)).isFalse();
        assertThat(after(DEAD, RENEWED, FAILS).get("agent.health:a").state(NOW)).isEqualTo(ProblemState.OPEN);
    }

    @Test
    void a_problem_that_gets_worse_is_the_same_one() {
        SubjectProblem problem = after(SILENT, DEAD).get(AGENT);
        assertThat(problem.occurrences()).isEqualTo(1);
        assertThat(problem.openedAt()).isEqualTo(START);
        assertThat(problem.severity()).isEqualTo(Severity.ERROR);
        assertThat(problem.summary()).contains("is dead");
        assertThat(problem.last().eventId()).isEqualTo("e1");
        assertThat(problem.roleId()).isEqualTo("r");
    }

    @Test
    void a_problem_that_occurs_anew_keeps_its_id_and_counts() {
        SubjectProblem first = after(FAILS).get("agent.health:a");
        SubjectProblem again = after(FAILS, WORKS, FAILS).get("agent.health:a");
        assertThat(again.id()).isEqualTo(first.id()).matches("problem_[0-9a-f]{20}");
        assertThat(again.occurrences()).isEqualTo(2);
        assertThat(again.openedAt()).isEqualTo(START.plusSeconds(2));
    }

    @Test
    void an_acknowledgement_holds_until_its_end_and_for_the_problem_as_it_was() {
        SubjectProblem silent = after(SILENT).get(AGENT);
        SubjectProblem acknowledged = silent.acknowledgedBy(handling(silent, NOW.plusSeconds(60)));
        assertThat(acknowledged.state(NOW.plusSeconds(59))).isEqualTo(ProblemState.ACKNOWLEDGED);
        assertThat(acknowledged.state(NOW.plusSeconds(60))).isEqualTo(ProblemState.OPEN);
        assertThat(acknowledged.isClosed()).isFalse();
        assertThat(then(acknowledged, DEAD).state(NOW)).as("worse").isEqualTo(ProblemState.OPEN);
        assertThat(then(acknowledged, SILENT).state(NOW)).as("the same").isEqualTo(ProblemState.ACKNOWLEDGED);
        assertThat(then(then(acknowledged, RENEWED), SILENT).state(NOW))
                .as("anew")
                .isEqualTo(ProblemState.OPEN);
    }

    @Test
    void a_dismissed_problem_is_closed_until_it_occurs_anew() {
        SubjectProblem dead = after(DEAD).get(AGENT);
        SubjectProblem dismissed = dead.dismissedBy(handling(dead, Instant.MAX));
        assertThat(dismissed.state(NOW)).isEqualTo(ProblemState.DISMISSED);
        assertThat(dismissed.isClosed()).isTrue();
        assertThat(then(then(dismissed, RENEWED), DEAD).state(NOW)).isEqualTo(ProblemState.OPEN);
    }

    @Test
    void an_open_problem_is_kept_for_thirty_days_and_a_closed_one_for_seven() {
        SubjectProblem dead = after(DEAD).get(AGENT);
        assertThat(dead.keptUntil()).isEqualTo(START.plus(Duration.ofDays(30)));
        assertThat(after(DEAD, RENEWED).get(AGENT).keptUntil())
                .isEqualTo(START.plusSeconds(1).plus(Duration.ofDays(7)));
        assertThat(dead.dismissedBy(handling(dead, Instant.MAX)).keptUntil()).isEqualTo(NOW.plus(Duration.ofDays(7)));
    }

    @Test
    void an_event_that_is_older_than_what_is_kept_changes_nothing() {
        Instant late = START.plus(Duration.ofDays(7));
        assertThat(ProblemRule.after(Map.of(), List.of(event(0, DEAD)), late)).isNotEmpty();
        assertThat(ProblemRule.after(Map.of(), List.of(event(0, DEAD)), late.plusMillis(1)))
                .isEmpty();
    }

    @Test
    void of_many_events_the_first_ones_stay_counted() {
        String[] events = new String[40];
        for (int i = 0; i < events.length; i++) {
            events[i] = i % 2 == 0 ? FAILS : WORKS;
        }
        SubjectProblem problem = after(events).get("agent.health:a");
        assertThat(problem.occurrences()).isEqualTo(20);
        assertThat(problem.history().recent()).hasSize(ProblemHistory.MAX_RECENT);
        SubjectProblem same = ProblemRule.after(Map.of(problem.subject(), problem), List.of(event(2, FAILS)), NOW)
                .get(problem.subject());
        assertThat(same).as("an old duplicate").isEqualTo(problem);
    }

    private static Handling handling(SubjectProblem problem, Instant until) {
        return new Handling("key_1", "Ada", "", NOW, "", until, Handling.Seen.of(problem));
    }

    private static SubjectProblem then(SubjectProblem problem, String text) {
        int number = problem.history().recent().size();
        return ProblemRule.after(Map.of(problem.subject(), problem), List.of(event(number, text)), NOW)
                .get(problem.subject());
    }

    @Test
    void a_problem_says_what_its_beginning_said_and_when_it_was_heard_of_last() {
        SubjectProblem begun = after(FAILS).get("agent.health:a");
        SubjectProblem ended = after(FAILS, WORKS).get("agent.health:a");
        assertThat(ended.severity()).isEqualTo(begun.severity());
        assertThat(ended.summary()).isEqualTo(begun.summary());
        assertThat(ended.begun()).isEqualTo(begun.begun());
        assertThat(ended.last().at()).isEqualTo(begun.last().at().plusSeconds(1));
        assertThat(after(FAILS, WORKS, FAILS).get("agent.health:a").begun().at())
                .isEqualTo(begun.begun().at().plusSeconds(2));
    }

    @Test
    void an_event_is_about_its_agent_too() {
        ReceivedEvent health = event(1, FAILS);
        assertThat(ProblemRule.subjects(health)).containsExactlyInAnyOrder("agent.health:a", "agent:a");
        assertThat(ProblemRule.group(health)).isEqualTo("agent:a");
        ReceivedEvent death = event(1, "agent.lifecycle unhealthy>dead heartbeat_timeout");
        assertThat(ProblemRule.subjects(death)).containsExactly("agent:a");
        assertThat(ProblemRule.isOfLife(death, NOW)).isTrue();
        assertThat(ProblemRule.isOfLife(health, NOW)).isFalse();
        ReceivedEvent pool = event(1, "pool.below_minimum 1>2");
        assertThat(ProblemRule.group(pool)).isEqualTo(pool.entry().subject());
    }

    @Test
    void a_death_is_open_until_it_is_over() {
        SubjectProblem dead =
                after("agent.lifecycle unhealthy>dead heartbeat_timeout").get("agent:a");
        assertThat(dead.isDeath()).isTrue();
        assertThat(dead.kind()).isEqualTo(ProblemKind.LIFECYCLE);
        assertThat(dead.providerId()).isEmpty();
        assertThat(dead.nextVersion().version()).isEqualTo(dead.version() + 1);
        assertThat(after("agent.lifecycle active>unhealthy heartbeat_timeout")
                        .get("agent:a")
                        .isDeath())
                .isFalse();
        assertThat(ProblemState.OPEN.isClosed()).isFalse();
        assertThat(ProblemState.ACKNOWLEDGED.isClosed()).isFalse();
        assertThat(ProblemState.RESOLVED.isClosed()).isTrue();
        assertThat(ProblemState.DISMISSED.isClosed()).isTrue();
    }

    @Test
    void leases_messages_and_tests_have_no_problems() {
        assertThat(ProblemId.find("agent:a")).contains(ProblemId.of("agent:a"));
        for (String subject : List.of("lease:i/s", "message:m", "test:t")) {
            assertThat(ProblemId.find(subject)).isEmpty();
        }
    }

    @Test
    void what_ends_nothing_is_not_stored_and_a_dismissal_ends_the_death() {
        for (String event : List.of(
                "agent.score Inactive>Healthy", "agent.score Healthy>Healthy", "agent.health unknown>healthy x")) {
            assertThat(after(event)).as(event).isEmpty();
        }
        assertThat(after(DEAD, "agent.dismissed dead>gone").get(AGENT).state(NOW))
                .isEqualTo(ProblemState.RESOLVED);
    }

    @Test
    void after_a_departure_a_stall_opens_nothing_and_a_silence_does() {
        SubjectProblem stall = after(LEFT, "agent.stalled none>warning")
                .getOrDefault("agent.stall:a", after(LEFT).get(AGENT));
        assertThat(stall.isShown(NOW)).isFalse();
        assertThat(after(LEFT, RENEWED, "agent.stalled none>warning")
                        .get("agent.stall:a")
                        .state(NOW))
                .isEqualTo(ProblemState.OPEN);
        assertThat(after(LEFT, SILENT).get(AGENT).state(NOW))
                .as("its registration was not heard of yet")
                .isEqualTo(ProblemState.OPEN);
    }
}
