package dev.agenthealth.functions.operations.problems;

import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.operations.problem.ProblemState;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The selection of problems in a list. The worst problems come first, and among them the newest. Closed problems come last.
 *
 * @param states the states; never empty
 * @param severities the severities; never empty
 * @param agentId the agent; empty for all
 * @param roleId the role; empty for all
 */
record ProblemQuery(Set<ProblemState> states, Set<Severity> severities, String agentId, String roleId) {

    private static final Severity[] SEVERITIES = Severity.values();

    /** Reads the parameters. An invalid parameter is an error of its field. */
    static ProblemQuery of(Fields query) {
        Set<ProblemState> states = query.text("state").equals("all")
                ? EnumSet.allOf(ProblemState.class)
                : query.anyOf("state", ProblemState.class);
        Set<Severity> severities = query.anyOf("severity", Severity.class);
        return new ProblemQuery(
                states.isEmpty() ? EnumSet.of(ProblemState.OPEN, ProblemState.ACKNOWLEDGED) : states,
                severities.isEmpty() ? EnumSet.allOf(Severity.class) : severities,
                query.id("agent_id"),
                query.id("role_id"));
    }

    boolean matches(SubjectProblem problem, Instant now) {
        return problem.isShown(now)
                && states.contains(problem.state(now))
                && severities.contains(problem.severity())
                && (roleId.isEmpty() || roleId.equals(problem.roleId()));
    }

    /**
     * A part of the list.
     *
     * @param number the position in the list: one digit
     */
    record Part(int number) {

        static Part of(SubjectProblem problem) {
            return new Part((problem.isClosed() ? SEVERITIES.length : 0)
                    + problem.severity().ordinal());
        }

        boolean closed() {
            return number >= SEVERITIES.length;
        }

        Severity severity() {
            return SEVERITIES[number % SEVERITIES.length];
        }
    }

    /** Returns the parts of the list from one part on. */
    List<Part> partsFrom(int first) {
        return IntStream.range(first, 2 * SEVERITIES.length)
                .mapToObj(Part::new)
                .filter(part -> severities.contains(part.severity())
                        && states.stream().anyMatch(state -> state.isClosed() == part.closed()))
                .toList();
    }
}
