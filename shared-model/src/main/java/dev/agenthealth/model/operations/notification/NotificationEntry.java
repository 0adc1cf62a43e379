package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.ProblemId;
import java.time.Instant;
import java.util.Optional;

/**
 * One event as a message shows it.
 *
 * @param eventId of the event: every delivery of the same event carries the same id
 * @param detailType of the event
 * @param kind whether a problem begins, is over, or neither
 * @param severity of the event itself; {@link Severity#INFO} unless it is a problem
 * @param agentId the agent it happened to; empty if there is none
 * @param roleId the role that it concerns; empty if there is none
 * @param at when the registry detected it
 * @param from the status before; empty if the event has none
 * @param to the status after; empty if the event has none
 * @param summary one sentence that says what happened
 * @param subject the same text for a problem and its recovery, such as {@code agent:agent_1}
 */
public record NotificationEntry(
        String eventId,
        String detailType,
        EventKind kind,
        Severity severity,
        String agentId,
        String roleId,
        Instant at,
        String from,
        String to,
        String summary,
        String subject) {

    /** Returns the id of the problem of its subject; empty if the subject has none. */
    public Optional<String> problemId() {
        return ProblemId.find(subject);
    }

    /** Returns whether the event says that a problem of the subject is over. */
    public boolean recovery() {
        return kind == EventKind.RECOVERY;
    }
}
