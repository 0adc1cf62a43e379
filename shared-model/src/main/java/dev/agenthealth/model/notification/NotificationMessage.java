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
 * @param over ids of earlier messages whose subjects have all recovered
 * @param alerts subjects that may have an alert of their own from an earlier message, and that recovered or that this message reports anew
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
        List<String> over,
        List<String> alerts) {

    /** The maximum number of events that a message shows. */
    public static final int MAX_ENTRIES = 20;

    /** The maximum number of problems of a message that are an alert each, where a target has alerts. */
    public static final int MAX_ALERTS = 5;

    public NotificationMessage {
        entries = List.copyOf(entries);
        over = List.copyOf(over);
        alerts = List.copyOf(alerts);
    }

    /** The problems that it shows and that none of its later events ends, by subject. */
    public Map<String, NotificationEntry> problems() {
        Map<String, NotificationEntry> problems = new LinkedHashMap<>();
        for (NotificationEntry entry : entries) {
            problems.remove(entry.subject());
            if (!entry.recovery()) {
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
