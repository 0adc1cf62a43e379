package dev.agenthealth.model.operations.notification;

import dev.agenthealth.model.ClockRule;
import java.time.Duration;
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
 * @param ended as in {@link NotificationMessage#ended()}, at most {@value #MAX_ENDED}
 */
public record Digest(
        String id,
        Instant dueAt,
        List<NotificationEntry> entries,
        int total,
        int recoveries,
        int open,
        List<String> ended) {

    /** The maximum number of alerts that one digest ends, so that its item stays small; {@link Collected} begins another digest for more. */
    public static final int MAX_ENDED = 100;

    /** The maximum number of alerts that one message ends: a target with alerts takes a request for each. */
    static final int MAX_ENDED_BY_MESSAGE = 30;

    private static final Comparator<NotificationEntry> TIME =
            Comparator.comparing(NotificationEntry::at).thenComparing(NotificationEntry::eventId);

    private static final Comparator<NotificationEntry> IMPORTANCE =
            Comparator.comparing(NotificationEntry::severity).thenComparing(TIME);

    public Digest {
        entries = List.copyOf(entries);
        ended = List.copyOf(ended);
    }

    /** Returns a digest without events. */
    static Digest of(String id, Instant dueAt, List<String> ended) {
        return new Digest(id, dueAt, List.of(), 0, 0, 0, ended);
    }

    /**
     * Returns whether the message is to be sent, also if it would wait longer than any does.
     *
     * @param longest the maximum time for which events are collected
     */
    public boolean isDue(Duration longest, Instant now) {
        return !ClockRule.holds(dueAt, longest, now);
    }

    /** Returns the digest with one more event. */
    public Digest plus(NotificationEntry entry) {
        List<NotificationEntry> all = new ArrayList<>(entries);
        all.add(entry);
        List<NotificationEntry> shown = all.stream()
                .sorted(IMPORTANCE)
                .limit(NotificationMessage.MAX_ENTRIES)
                .sorted(TIME)
                .toList();
        return new Digest(id, dueAt, shown, total + 1, recoveries + (entry.recovery() ? 1 : 0), open, ended);
    }

    /** Returns the digest with so many more subjects whose problem it reports; fewer if negative. */
    Digest withOpen(int more) {
        return new Digest(id, dueAt, entries, total, recoveries, Math.max(0, open + more), ended);
    }

    /** Returns the digest that ends one more alert. */
    Digest ending(String alert) {
        return ending(Stream.concat(ended.stream(), Stream.of(alert)).distinct().toList());
    }

    /** Returns the digest that ends these alerts. */
    Digest ending(List<String> alerts) {
        return new Digest(id, dueAt, entries, total, recoveries, open, alerts);
    }

    /** Returns whether it becomes one alert for several subjects, which is over when the last of them has recovered. */
    public boolean isGroup() {
        return open > 0 && message("").isGroup();
    }

    /** Returns the digest without the alerts that its message cannot end. */
    public Digest first() {
        return ending(ended.stream().limit(MAX_ENDED_BY_MESSAGE).toList());
    }

    /** Returns a digest without events of the alerts that {@link #first()} leaves; empty if there are none. */
    public Optional<Digest> rest(String newId) {
        return ended.size() <= MAX_ENDED_BY_MESSAGE
                ? Optional.empty()
                : Optional.of(of(newId, dueAt, ended.subList(MAX_ENDED_BY_MESSAGE, ended.size())));
    }

    /** Returns the message of the digest. */
    public NotificationMessage message(String rule) {
        return new NotificationMessage(id, rule, dueAt, entries, total, recoveries == total, false, open, ended);
    }
}
