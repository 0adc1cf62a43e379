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
 * @param id the id of the digest and of its message
 * @param dueAt the time at which the message is due
 * @param entries the events that the message shows: the most severe events, in the order in which they happened
 * @param total the number of events
 * @param recoveries the number of recoveries among the events
 * @param open the number of subjects with a reported problem that have not recovered
 * @param ended the alerts as in {@link NotificationMessage#ended()}, at most {@value #MAX_ENDED}
 */
public record Digest(
        String id,
        Instant dueAt,
        List<NotificationEntry> entries,
        int total,
        int recoveries,
        int open,
        List<String> ended) {

    /** The maximum number of alerts that one digest ends, so that its item stays small. {@link Collected} begins another digest for more alerts. */
    public static final int MAX_ENDED = 100;

    /** The maximum number of alerts that one message ends. A target with alerts gets a request for each. */
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
     * Returns whether the message is due, or would wait longer than any message may.
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

    /** Returns the digest with more subjects that have a reported problem; with fewer subjects if negative. */
    Digest withOpen(int more) {
        return new Digest(id, dueAt, entries, total, recoveries, Math.max(0, open + more), ended);
    }

    /** Returns the digest with one more alert to end. */
    Digest ending(String alert) {
        return ending(Stream.concat(ended.stream(), Stream.of(alert)).distinct().toList());
    }

    /** Returns the digest with more alerts to end. */
    Digest ending(List<String> alerts) {
        return new Digest(id, dueAt, entries, total, recoveries, open, alerts);
    }

    /** Returns whether the digest becomes one alert for several subjects, which is over when the last subject has recovered. */
    public boolean isGroup() {
        return open > 0 && message("").isGroup();
    }

    /** Returns the digest with only as many alerts as its message can end. */
    public Digest first() {
        return ending(ended.stream().limit(MAX_ENDED_BY_MESSAGE).toList());
    }

    /** Returns a digest with the alerts that {@link #first()} leaves out; empty if none is left. */
    public Optional<Digest> rest(String newId) {
        return ended.size() <= MAX_ENDED_BY_MESSAGE
                ? Optional.empty()
                : Optional.of(of(newId, dueAt, ended.subList(MAX_ENDED_BY_MESSAGE, ended.size())));
    }

    /** Returns the message of the digest. */
    public NotificationMessage message(String rule) {
        return new NotificationMessage(id, rule, dueAt, entries, total, recoveries == total, false, open, ended, "");
    }
}
