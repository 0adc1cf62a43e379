package dev.agenthealth.model.notification;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The events of a rule that are collected into one message.
 *
 * @param id becomes the id of the message
 * @param dueAt when the message is to be sent
 * @param entries those of its events that the message shows: the most severe ones, in the order in which they happened
 * @param total the number of its events
 * @param recoveries how many of them are recoveries
 * @param open the number of subjects whose problem it reports and that have not recovered
 * @param over ids of messages sent before whose subjects have all recovered, at most {@value #MAX_ENDED}
 * @param alerts as in {@link NotificationMessage#alerts()}, at most {@value #MAX_ENDED}
 */
public record Digest(
        String id,
        Instant dueAt,
        List<NotificationEntry> entries,
        int total,
        int recoveries,
        int open,
        List<String> over,
        List<String> alerts) {

    static final int MAX_ENDED = 500;

    /** The maximum number of alerts of each kind that one message ends: a target with alerts takes a request for each. */
    static final int MAX_ENDED_BY_MESSAGE = 30;

    private static final Comparator<NotificationEntry> TIME =
            Comparator.comparing(NotificationEntry::at).thenComparing(NotificationEntry::eventId);

    private static final Comparator<NotificationEntry> IMPORTANCE =
            Comparator.comparing(NotificationEntry::severity).thenComparing(TIME);

    public Digest {
        entries = List.copyOf(entries);
        over = List.copyOf(over);
        alerts = List.copyOf(alerts);
    }

    /** A digest without events. */
    public static Digest open(String id, Instant dueAt) {
        return new Digest(id, dueAt, List.of(), 0, 0, 0, List.of(), List.of());
    }

    /** The digest with one more event. */
    public Digest plus(NotificationEntry entry) {
        List<NotificationEntry> all = new ArrayList<>(entries);
        all.add(entry);
        List<NotificationEntry> shown = all.stream()
                .sorted(IMPORTANCE)
                .limit(NotificationMessage.MAX_ENTRIES)
                .sorted(TIME)
                .toList();
        return new Digest(id, dueAt, shown, total + 1, recoveries + (entry.recovery() ? 1 : 0), open, over, alerts);
    }

    /** The digest with so many more subjects whose problem it reports; fewer where negative. */
    Digest withOpen(int more) {
        return with(Math.max(0, open + more), over, alerts);
    }

    /** The digest that also says that the subjects of a message have all recovered. */
    Digest withOver(String messageId) {
        return with(open, with(over, messageId), alerts);
    }

    /** The digest that also says that a subject may have an alert of its own. */
    Digest withAlert(String subject) {
        return with(open, over, with(alerts, subject));
    }

    private Digest with(int newOpen, List<String> newOver, List<String> newAlerts) {
        return new Digest(id, dueAt, entries, total, recoveries, newOpen, newOver, newAlerts);
    }

    private static List<String> with(List<String> texts, String text) {
        return Stream.concat(texts.stream(), Stream.of(text))
                .distinct()
                .limit(MAX_ENDED)
                .toList();
    }

    /** Returns whether it becomes one alert for several subjects, which is over when the last of them has recovered. */
    public boolean isGroup() {
        return open > 0 && message("").isGroup();
    }

    /** The digest without the alerts that its message cannot end. */
    public Digest first() {
        return with(
                open,
                over.stream().limit(MAX_ENDED_BY_MESSAGE).toList(),
                alerts.stream().limit(MAX_ENDED_BY_MESSAGE).toList());
    }

    /** A digest without events of the alerts that {@link #first()} leaves; empty where there are none. */
    public Optional<Digest> rest(String newId) {
        List<String> restOver = over.stream().skip(MAX_ENDED_BY_MESSAGE).toList();
        List<String> restAlerts = alerts.stream().skip(MAX_ENDED_BY_MESSAGE).toList();
        return restOver.isEmpty() && restAlerts.isEmpty()
                ? Optional.empty()
                : Optional.of(open(newId, dueAt).with(0, restOver, restAlerts));
    }

    /** The message of the digest. */
    public NotificationMessage message(String rule) {
        return new NotificationMessage(id, rule, dueAt, entries, total, recoveries == total, false, open, over, alerts);
    }
}
