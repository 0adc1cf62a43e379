package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.event.Severity;
import dev.agenthealth.model.identity.ProblemId;
import java.time.Instant;
import java.util.Optional;

/**
 * An event in the form that a message shows.
 *
 * @param eventId the id of the event, which is the same for every delivery
 * @param detailType the type of the event
 * @param kind whether the event is a problem, a recovery, or neither
 * @param severity the severity of the event; {@link Severity#INFO} unless it is a problem
 * @param agentId the agent of the event; empty without an agent
 * @param roleId the role of the event; empty without a role
 * @param at the moment of the detection
 * @param from the previous status; empty without one
 * @param to the new status; empty without one
 * @param summary one sentence that says what happened
 * @param subject the subject, which is the same for a problem and its recovery, such as {@code agent:agent_1}
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

    /** Returns this entry with another sentence. */
    NotificationEntry withSummary(String sentence) {
        return new NotificationEntry(
                eventId, detailType, kind, severity, agentId, roleId, at, from, to, sentence, subject);
    }

    /** Returns the id of the subject's problem; empty if the subject has none. */
    public Optional<String> problemId() {
        return ProblemId.find(subject);
    }

    /** Returns whether the event ends a problem of the subject. */
    public boolean recovery() {
        return kind == EventKind.RECOVERY;
    }
}
