package dev.agenthealth.model.operations.notification;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
 * @param page the address of the registry's page, without a slash at its end; empty if it is not known
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
        List<String> ended,
        String page) {

    /** The maximum number of events that a message shows. */
    public static final int MAX_ENTRIES = 20;

    /** The maximum number of problems of a message that are an alert each, if a target has alerts. */
    public static final int MAX_ALERTS = 5;

    /** A message of a registry whose page is not known. */
    public NotificationMessage(
            String messageId,
            String rule,
            Instant at,
            List<NotificationEntry> entries,
            int total,
            boolean recovery,
            boolean test,
            int open,
            List<String> ended) {
        this(messageId, rule, at, entries, total, recovery, test, open, ended, "");
    }

    public NotificationMessage {
        entries = List.copyOf(entries);
        ended = List.copyOf(ended);
    }

    /** Returns the same message of a registry with this page. */
    public NotificationMessage with(String newPage) {
        return new NotificationMessage(messageId, rule, at, entries, total, recovery, test, open, ended, newPage);
    }

    /** Returns if the page shows what an event is about: its agent, the pools or the fleet; empty if the page is not known. */
    public Optional<String> link(NotificationEntry entry) {
        if (page.isEmpty()) {
            return Optional.empty();
        }
        if (!entry.agentId().isEmpty()) {
            String id =
                    URLEncoder.encode(entry.agentId(), StandardCharsets.UTF_8).replace("+", "%20");
            return Optional.of(page + "/#/agents/" + id);
        }
        return Optional.of(page + (entry.detailType().startsWith("pool.") ? "/#/pools" : "/#/"));
    }

    /** Returns the name of the alert that stands for all problems of a message; no subject has it. */
    public static String groupAlert(String messageId) {
        return "message:" + messageId;
    }

    /** Returns the problems that it shows and that none of its later events ends, by subject. */
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

    /** Returns whether its problems are one alert if a target has alerts: they are many, or some are not shown. */
    public boolean isGroup() {
        return problems().size() > MAX_ALERTS || !recovery && total > entries.size();
    }
}
