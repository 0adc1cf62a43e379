package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.event.EventKind;
import dev.agenthealth.model.registry.workflow.RoleContact;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A message to a target.
 *
 * @param messageId the id of the message, which is the same for every attempt to send it
 * @param rule the name of the rule
 * @param at the creation of the message: the end of the time in which its events were collected
 * @param entries the first events, at most {@value #MAX_ENTRIES}
 * @param total the number of events that the message stands for
 * @param recovery whether all events are recoveries
 * @param test whether an operator requested the message to test the target
 * @param open the number of subjects with a reported problem that had not recovered at the creation
 * @param ended the alerts of earlier messages that are over, or that this message reports again: the subject of a single alert, or the
 *     {@link #groupAlert} of a message
 * @param page the address of the registry's page, without a slash at the end; empty if unknown
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

    /** The maximum number of problems in a message with an alert each, if a target has alerts. */
    public static final int MAX_ALERTS = 5;

    public NotificationMessage {
        entries = List.copyOf(entries);
        ended = List.copyOf(ended);
    }

    /** Returns this message with the address of the registry's page. */
    public NotificationMessage with(String newPage) {
        return new NotificationMessage(messageId, rule, at, entries, total, recovery, test, open, ended, newPage);
    }

    /** Returns this message for people, with the times of its sentences in a time zone. */
    public NotificationMessage shownIn(ZoneId zone) {
        List<NotificationEntry> shown = entries.stream()
                .map(entry -> entry.withSummary(WrittenTimes.shown(entry.summary(), zone)))
                .toList();
        return new NotificationMessage(messageId, rule, at, shown, total, recovery, test, open, ended, page);
    }

    /** Returns this message with the contacts of the roles in its sentences. */
    public NotificationMessage withContacts(Map<String, RoleContact> byRole) {
        List<NotificationEntry> named = entries.stream()
                .map(entry -> entry.kind() == EventKind.PROBLEM && byRole.containsKey(entry.roleId())
                        ? entry.withSummary(byRole.get(entry.roleId()).after(entry.summary()))
                        : entry)
                .toList();
        return new NotificationMessage(messageId, rule, at, named, total, recovery, test, open, ended, page);
    }

    /** Returns the link to the subject of an event on the registry's page: an agent, the pools or the fleet; empty if the page is unknown. */
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

    /** Returns the name of the alert for all problems of a message. It differs from every subject. */
    public static String groupAlert(String messageId) {
        return "message:" + messageId;
    }

    /** Returns the problems that the message shows and that no later event in it ends, by subject. */
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

    /** Returns whether all problems of the message share one alert, because they are many or some are not shown. */
    public boolean isGroup() {
        return problems().size() > MAX_ALERTS || !recovery && total > entries.size();
    }
}
