package dev.agenthealth.model.notification;

import java.time.Instant;
import java.util.List;

/**
 * What is sent to a target at once.
 *
 * @param messageId the same for every attempt to send the message
 * @param rule the name of the rule
 * @param at when the message was made: the end of the time in which its events were collected
 * @param entries the first of its events, at most {@value #MAX_ENTRIES}
 * @param total how many events the message stands for
 * @param recovery whether all of its events are recoveries
 * @param test whether an operator asked for it to try the target
 */
public record NotificationMessage(
        String messageId,
        String rule,
        Instant at,
        List<NotificationEntry> entries,
        int total,
        boolean recovery,
        boolean test) {

    /** The maximum number of events that a message shows. */
    public static final int MAX_ENTRIES = 20;

    public NotificationMessage {
        entries = List.copyOf(entries);
    }
}
