package dev.agenthealth.model.operations.problem;

import static dev.agenthealth.model.operations.problem.ProblemEvents.START;
import static dev.agenthealth.model.operations.problem.ProblemEvents.after;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.problem.ProblemMoment.Sending;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ProblemTimelineTest {

    private static final String SILENT = "agent.lifecycle active>unhealthy heartbeat_timeout";
    private static final String DEAD = "agent.lifecycle unhealthy>dead heartbeat_timeout";
    private static final String RENEWED = "agent.lifecycle dead>active re_registered";

    @Test
    void a_problem_opens_gets_worse_and_is_over() {
        assertThat(shown(after(SILENT, DEAD, RENEWED).get("agent:a")))
                .containsExactly("0 opened warning", "1 worsened error", "2 over");
    }

    @Test
    void a_repetition_without_another_severity_is_no_moment() {
        assertThat(shown(after(SILENT, SILENT).get("agent:a"))).containsExactly("0 opened warning");
    }

    @Test
    void the_death_of_an_agent_ends_its_other_problems() {
        assertThat(shown(after("agent.stalled none>warning", DEAD).get("agent.stall:a")))
                .containsExactly("0 opened warning", "1 over");
    }

    @Test
    void an_earlier_version_stored_no_severities_and_no_notes() {
        SubjectProblem problem = after(SILENT, DEAD).get("agent:a").acknowledgedBy(handling(START.plusSeconds(5), ""));
        SubjectProblem stored = new SubjectProblem(
                problem.of(),
                new ProblemHistory(
                        problem.kind(),
                        problem.history().before(),
                        problem.history().until(),
                        problem.history().recent().stream()
                                .map(entry -> ProblemHistory.Entry.of(entry.order(), entry.step()))
                                .toList()),
                problem.beginning(),
                problem.last(),
                problem.handlings(),
                List.of(),
                1);
        assertThat(shown(stored)).containsExactly("0 opened", "5 acknowledged key on-call");
    }

    @Test
    void notes_are_bounded_and_a_note_replaces_an_earlier_one_about_the_same_message() {
        SubjectProblem problem = after(SILENT).get("agent:a");
        for (int i = 1; i <= 40; i++) {
            Instant at = START.plusSeconds(i);
            problem = problem.noted(ProblemMoment.notified(at, "msg_" + i / 2, "pager", Sending.RETRYING))
                    .noted(ProblemMoment.silenced(at, "s", "deployment"));
        }
        problem = problem.noted(ProblemMoment.notified(START.plusSeconds(50), "msg_20", "pager", Sending.DELIVERED));
        List<String> shown = shown(problem);
        assertThat(problem.notes()).hasSize(SubjectProblem.MAX_NOTES);
        assertThat(shown).startsWith("0 opened warning").endsWith("50 notified msg_20 pager delivered");
        assertThat(shown).filteredOn(text -> text.contains("msg_20")).hasSize(1);
        assertThat(shown).filteredOn(text -> text.contains("deployment")).hasSize(1);
    }

    @Test
    void a_person_acknowledges_and_takes_it_back() {
        SubjectProblem problem = after(SILENT)
                .get("agent:a")
                .acknowledgedBy(handling(START.plusSeconds(1), "Ada"))
                .acknowledgedBy(new Handling(
                        "key",
                        "on-call",
                        "",
                        START.plusSeconds(2),
                        "secret text",
                        START.plusSeconds(2),
                        new Handling.Seen(START, Severity.WARNING)))
                .dismissedBy(handling(START.plusSeconds(3), ""));
        assertThat(shown(problem))
                .containsExactly(
                        "0 opened warning",
                        "1 acknowledged key on-call Ada",
                        "2 released key on-call",
                        "3 dismissed key on-call");
    }

    private static Handling handling(Instant at, String assignee) {
        return new Handling(
                "key", "on-call", assignee, at, "secret text", Instant.MAX, new Handling.Seen(START, Severity.ERROR));
    }

    private static List<String> shown(SubjectProblem problem) {
        return ProblemTimeline.of(problem).stream()
                .map(moment -> String.join(
                                " ",
                                String.valueOf(
                                        Duration.between(START, moment.at()).toSeconds()),
                                moment.kind().name().toLowerCase(Locale.ROOT),
                                moment.severity().map(Severity::wireName).orElse(""),
                                moment.id(),
                                moment.name(),
                                moment.result())
                        .replaceAll(" +", " ")
                        .strip())
                .toList();
    }
}
