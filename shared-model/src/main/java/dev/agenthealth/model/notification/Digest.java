package dev.agenthealth.model.notification;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The events of a rule that are collected into one message.
 *
 * @param id becomes the id of the message
 * @param dueAt when the message is to be sent
 * @param entries those of its events that the message shows: the most severe ones, in the order in which they happened
 * @param total the number of its events
 * @param recoveries how many of them are recoveries
 * @param open the number of subjects whose problem it reports and that have not recovered
 * @param over ids of messages sent before whose subjects have all recovered, at most {@value #MAX_OVER}
 */
public record Digest(
        String id,
        Instant dueAt,
        List<NotificationEntry> entries,
        int total,
        int recoveries,
        int open,
        List<String> over) {

    static final int MAX_OVER = 50;

    private static final Comparator<NotificationEntry> TIME =
            Comparator.comparing(NotificationEntry::at).thenComparing(NotificationEntry::eventId);

    private static final Comparator<NotificationEntry> IMPORTANCE = Comparator.<NotificationEntry, Severity>comparing(
                    entry -> Severity.ofWord(entry.severity()).orElse(Severity.INFO))
            .thenComparing(TIME);

    public Digest {
        entries = List.copyOf(entries);
        over = List.copyOf(over);
    }

    /** A digest without events. */
    public static Digest open(String id, Instant dueAt) {
        return new Digest(id, dueAt, List.of(), 0, 0, 0, List.of());
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
        return new Digest(id, dueAt, shown, total + 1, recoveries + (entry.recovery() ? 1 : 0), open, over);
    }

    /** The digest with so many more subjects whose problem it reports; fewer where negative. */
    Digest withOpen(int more) {
        return new Digest(id, dueAt, entries, total, recoveries, Math.max(0, open + more), over);
    }

    /** The digest that also says that the subjects of a message have all recovered. */
    Digest withOver(String messageId) {
        List<String> all = new ArrayList<>(over);
        all.add(messageId);
        return new Digest(id, dueAt, entries, total, recoveries, open, all.subList(0, Math.min(all.size(), MAX_OVER)));
    }

    /** Whether it may be one alert for several subjects, which is over when the last of them has recovered. */
    public boolean isGroup() {
        return total > NotificationMessage.MAX_ALERTS && open > 0;
    }

    /** The message of the digest. */
    public NotificationMessage message(String rule) {
        return new NotificationMessage(id, rule, dueAt, entries, total, recoveries == total, false, open, over);
    }
}
