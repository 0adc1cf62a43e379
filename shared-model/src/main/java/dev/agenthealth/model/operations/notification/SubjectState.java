package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.Severity;
import java.util.Optional;

/**
 * The last event of one subject, as noted by a rule.
 *
 * @param order the order of the latest event, as in {@link ReceivedEvent#order()}
 * @param problem the severity of the reported problem that is not over; empty without one
 * @param messageId the message that last reported the problem; empty without one
 */
public record SubjectState(String order, Optional<Severity> problem, String messageId) {

    /** The state of a subject without events. */
    public static final SubjectState UNKNOWN = new SubjectState("", Optional.empty(), "");
}
