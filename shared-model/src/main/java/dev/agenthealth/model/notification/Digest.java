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
 */
public record Digest(String id, Instant dueAt, List<NotificationEntry> entries, int total, int recoveries) {

    private static final Comparator<NotificationEntry> TIME =
            Comparator.comparing(NotificationEntry::at).thenComparing(NotificationEntry::eventId);

    private static final Comparator<NotificationEntry> IMPORTANCE = Comparator.<NotificationEntry, Severity>comparing(
                    entry -> Severity.ofWord(entry.severity()).orElse(Severity.INFO))
            .thenComparing(TIME);

    public Digest {
        entries = List.copyOf(entries);
    }

    /** A digest without events. */
    public static Digest open(String id, Instant dueAt) {
        return new Digest(id, dueAt, List.of(), 0, 0);
    }

    /** The digest with more events. */
    public Digest plus(List<NotificationEntry> more) {
        List<NotificationEntry> all = new ArrayList<>(entries);
        all.addAll(more);
        int newRecoveries =
                (int) more.stream().filter(NotificationEntry::recovery).count();
        return new Digest(
                id,
                dueAt,
                all.stream()
                        .sorted(IMPORTANCE)
                        .limit(NotificationMessage.MAX_ENTRIES)
                        .sorted(TIME)
                        .toList(),
                total + more.size(),
                recoveries + newRecoveries);
    }

    /** The message of the digest. */
    public NotificationMessage message(String rule) {
        return new NotificationMessage(id, rule, dueAt, entries, total, recoveries == total, false);
    }
}
