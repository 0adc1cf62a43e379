package dev.agenthealth.model.operations.problem;

import dev.agenthealth.model.event.Severity;
import java.time.Instant;

/**
 * The action of a person on a problem. It holds for the problem as the person saw it: not for the next one of the subject, and not once it gets
 * worse.
 *
 * @param by the id of the person's key
 * @param byName the name of the key; empty if it has none
 * @param note why; empty if the person gave no reason
 * @param until until when it holds; {@link Instant#MAX} without an end
 * @param openedAt when the problem began
 * @param severity of the problem
 */
public record Handling(
        String by, String byName, Instant at, String note, Instant until, Instant openedAt, Severity severity) {

    boolean holdsFor(SubjectProblem problem) {
        return !openedAt.isBefore(problem.openedAt()) && severity.compareTo(problem.severity()) <= 0;
    }
}
