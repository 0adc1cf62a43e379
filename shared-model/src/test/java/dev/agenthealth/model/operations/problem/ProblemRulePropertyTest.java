package dev.agenthealth.model.operations.problem;

import static dev.agenthealth.model.operations.problem.ProblemEvents.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.model.operations.notification.ReceivedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class ProblemRulePropertyTest {

    private static final List<String> EVENTS = List.of(
            "agent.lifecycle active>unhealthy heartbeat_timeout",
            "agent.lifecycle unhealthy>active heartbeat_resumed",
            "agent.lifecycle unhealthy>dead heartbeat_timeout",
            "agent.lifecycle draining>dead drain_completed",
            "agent.lifecycle dead>deregistered deregistered",
            "agent.lifecycle dead>active re_registered",
            "agent.health healthy>degraded executions",
            "agent.health degraded>healthy executions",
            "agent.health healthy>unhealthy lifecycle",
            "agent.declaration_changed none>changed",
            "agent.declaration_changed changed>none",
            "agent.clock_drift none>warning",
            "agent.trust none>blocked",
            "agent.trust blocked>unblocked");

    @Property
    void the_clocks_of_servers_do_not_change_which_problems_are_open(
            @ForAll @Size(min = 60, max = 90) List<@IntRange(max = 13) Integer> kinds, @ForAll long seed) {
        Random random = new Random(seed);
        Map<String, SubjectProblem> expected = Map.of();
        Map<String, SubjectProblem> problems = Map.of();
        for (int i = 0; i < kinds.size(); i++) {
            String text = EVENTS.get(kinds.get(i));
            Instant at = ProblemEvents.START.plusMillis(i * 20L + random.nextInt(1_000));
            expected = ProblemRule.after(expected, List.of(ProblemEvents.event(i, text)), NOW);
            problems = ProblemRule.after(problems, List.of(ProblemEvents.event(i, text, at)), NOW);
        }
        assertThat(states(problems)).isEqualTo(states(expected));
    }

    private static Map<String, List<?>> states(Map<String, SubjectProblem> problems) {
        return problems.values().stream()
                .collect(Collectors.toMap(
                        SubjectProblem::subject,
                        problem -> List.of(
                                problem.state(NOW),
                                problem.begun().eventId(),
                                problem.last().eventId())));
    }

    @Property
    void events_that_arrive_in_any_order_and_twice_lead_to_the_same_problems(
            @ForAll @Size(max = ProblemHistory.MAX_RECENT) List<@IntRange(max = 13) Integer> kinds, @ForAll long seed) {
        Map<String, SubjectProblem> expected =
                ProblemEvents.after(kinds.stream().map(EVENTS::get).toArray(String[]::new));
        List<ReceivedEvent> arriving = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            arriving.add(ProblemEvents.event(i, EVENTS.get(kinds.get(i))));
        }
        arriving.addAll(arriving);
        Random random = new Random(seed);
        Collections.shuffle(arriving, random);
        Map<String, SubjectProblem> problems = Map.of();
        for (int from = 0; from < arriving.size(); ) {
            int to = Math.min(arriving.size(), from + 1 + random.nextInt(4));
            problems = ProblemRule.after(problems, arriving.subList(from, to), NOW);
            from = to;
        }
        assertThat(problems).isEqualTo(expected);
    }
}
