package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.Severity;
import java.time.Instant;

/**
 * The action of a person on a problem. It applies to the problem that the person saw. It ends when the problem gets worse, and does not apply to
 * the subject's next problem.
 *
 * @param by the id of the person's key
 * @param byName the name of the key; empty without a name
 * @param assignee the person or team that takes care of the problem; empty if this is the holder of the key
 * @param note the reason; empty if the person gave none
 * @param until the end of the action; {@link Instant#MAX} without an end
 * @param seen the problem that the person saw
 */
public record Handling(String by, String byName, String assignee, Instant at, String note, Instant until, Seen seen) {

    /**
     * A problem as a person saw it.
     *
     * @param openedAt the beginning of the problem
     * @param severity the severity of the problem
     */
    public record Seen(Instant openedAt, Severity severity) {

        /** Returns the problem as it is now. */
        public static Seen of(SubjectProblem problem) {
            return new Seen(problem.openedAt(), problem.severity());
        }
    }

    boolean holdsFor(SubjectProblem problem) {
        return !seen.openedAt().isBefore(problem.openedAt()) && seen.severity().compareTo(problem.severity()) <= 0;
    }
}
