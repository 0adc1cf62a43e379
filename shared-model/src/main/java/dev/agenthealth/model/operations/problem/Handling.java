package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.Severity;
import java.time.Instant;

/**
 * The action of a person on a problem. It applies to the problem that the person saw. It ends when the problem gets worse, and does not apply to
 * the subject's next problem.
 *
 * @param by the id of the person's key
 * @param byName the name of the key; empty without a name
 * @param note the reason; empty if the person gave none
 * @param until the end of the action; {@link Instant#MAX} without an end
 * @param openedAt the beginning of the problem
 * @param severity the severity of the problem
 */
public record Handling(
        String by, String byName, Instant at, String note, Instant until, Instant openedAt, Severity severity) {

    boolean holdsFor(SubjectProblem problem) {
        return !openedAt.isBefore(problem.openedAt()) && severity.compareTo(problem.severity()) <= 0;
    }
}
