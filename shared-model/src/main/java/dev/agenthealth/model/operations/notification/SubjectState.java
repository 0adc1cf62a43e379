package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.Severity;
import java.util.Optional;

/**
 * The last event of one subject, as a rule noted it.
 *
 * @param order of the latest event, as in {@link EventReading#order()}
 * @param problem the severity of the problem that was reported and is not over; empty if there is none
 * @param messageId the message that reported the problem last; empty if there is none
 */
public record SubjectState(String order, Optional<Severity> problem, String messageId) {

    /** Of a subject without events. */
    public static final SubjectState UNKNOWN = new SubjectState("", Optional.empty(), "");
}
