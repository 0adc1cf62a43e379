package dev.agenthealth.model.notification;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message to a target.
 *
 * @param messageId the same for every attempt to send the message
 * @param rule the name of the rule
 * @param at when the message was made: the end of the time in which its events were collected
 * @param entries the first of its events, at most {@value #MAX_ENTRIES}
 * @param total how many events the message stands for
 * @param recovery whether all of its events are recoveries
 * @param test whether an operator asked for it to try the target
 * @param open the number of subjects whose problem it reports and that had not recovered when the message was made
 * @param ended alerts of earlier messages that are over or that this message reports anew: the subject of an alert of its own, or
 *     {@link #groupAlert} of a message
 */
public record NotificationMessage(
        String messageId,
        String rule,
        Instant at,
        List<NotificationEntry> entries,
        int total,
        boolean recovery,
        boolean test,
        int open,
        List<String> ended) {

    /** The maximum number of events that a message shows. */
    public static final int MAX_ENTRIES = 20;

    /** The maximum number of problems of a message that are an alert each, where a target has alerts. */
    public static final int MAX_ALERTS = 5;

    public NotificationMessage {
        entries = List.copyOf(entries);
        ended = List.copyOf(ended);
    }

    /** The name of the alert that stands for all problems of a message; no subject has it. */
    public static String groupAlert(String messageId) {
        return "message:" + messageId;
    }

    /** The problems that it shows and that none of its later events ends, by subject. */
    public Map<String, NotificationEntry> problems() {
        Map<String, NotificationEntry> problems = new LinkedHashMap<>();
        for (NotificationEntry entry : entries) {
            if (entry.kind() != EventKind.NOTICE) {
                problems.remove(entry.subject());
            }
            if (entry.kind() == EventKind.PROBLEM) {
                problems.put(entry.subject(), entry);
            }
        }
        return problems;
    }

    /** Returns whether its problems are one alert where a target has alerts: they are many, or some are not shown. */
    public boolean isGroup() {
        return problems().size() > MAX_ALERTS || !recovery && total > entries.size();
    }
}
