package dev.agenthealth.emulator.sqs;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The messages of a queue, found by id, by receipt handle, by age and by visibility. Each operation takes time that grows at most with the
 * logarithm of the number of messages, for each message that the operation changes or returns. Not thread-safe.
 */
final class QueueOrder {

    /** The maximum difference between two clocks that is no step. */
    private static final Duration MAX_SKEW = Duration.ofSeconds(2);

    private final Predicate<QueueEntry> isSpent;
    private final Map<String, QueueEntry> byId = new HashMap<>();
    private final Map<String, String> idsByHandle = new HashMap<>();
    private final NavigableSet<QueueEntry> bySending;
    private final NavigableSet<QueueEntry> hiddenByEnd;
    private final NavigableSet<QueueEntry> hiddenByStart;
    private final NavigableSet<QueueEntry> visible;
    private final NavigableSet<QueueEntry> spent;

    /**
     * @param isSpent decides whether a visible message was received too often to be received again
     * @param step is run for each comparison of two messages
     */
    QueueOrder(Predicate<QueueEntry> isSpent, Runnable step) {
        this.isSpent = isSpent;
        Comparator<QueueEntry> byNumber = Comparator.comparingLong(QueueEntry::number);
        this.bySending = sorted(
                Comparator.<QueueEntry, Instant>comparing(e -> e.message().sentAt()), byNumber, step);
        this.hiddenByEnd = sorted(Comparator.comparing(QueueEntry::visibleFrom), byNumber, step);
        this.hiddenByStart = sorted(Comparator.comparing(QueueEntry::hiddenAt), byNumber, step);
        this.visible = sorted((one, other) -> 0, byNumber, step);
        this.spent = sorted((one, other) -> 0, byNumber, step);
    }

    private static NavigableSet<QueueEntry> sorted(
            Comparator<QueueEntry> order, Comparator<QueueEntry> byNumber, Runnable step) {
        Comparator<QueueEntry> whole = order.thenComparing(byNumber);
        return new TreeSet<>((one, other) -> {
            step.run();
            return whole.compare(one, other);
        });
    }

    /** Adds a hidden message, or replaces the entry with its id. */
    void put(QueueEntry entry) {
        remove(entry.message().id());
        byId.put(entry.message().id(), entry);
        bySending.add(entry);
        hiddenByEnd.add(entry);
        hiddenByStart.add(entry);
        if (!entry.handle().isEmpty()) {
            idsByHandle.put(entry.handle(), entry.message().id());
        }
    }

    /** Removes the message with this id; does nothing if there is none. */
    void remove(String id) {
        QueueEntry entry = byId.remove(id);
        if (entry != null) {
            bySending.remove(entry);
            hiddenByEnd.remove(entry);
            hiddenByStart.remove(entry);
            visible.remove(entry);
            spent.remove(entry);
            idsByHandle.remove(entry.handle());
        }
    }

    /** Returns the message whose last receive has this handle; empty if there is none. */
    Optional<QueueEntry> withHandle(String handle) {
        return Optional.ofNullable(idsByHandle.get(handle)).map(byId::get);
    }

    /** Returns the message that was sent first, if it was sent before this moment. */
    Optional<QueueEntry> sentBefore(Instant moment) {
        return bySending.isEmpty()
                ? Optional.empty()
                : Optional.of(bySending.first())
                        .filter(oldest -> oldest.message().sentAt().isBefore(moment));
    }

    /** Returns the visible message that was sent first and may be received; empty if there is none. */
    Optional<QueueEntry> firstVisible(Instant now) {
        show(now);
        return visible.isEmpty() ? Optional.empty() : Optional.of(visible.first());
    }

    /** Returns the visible messages that are not received again. */
    List<QueueEntry> spent(Instant now) {
        show(now);
        return List.copyOf(spent);
    }

    /** Returns whether a message is hidden. */
    boolean isHidden(QueueEntry entry, Instant now) {
        show(now);
        return hiddenByEnd.contains(entry);
    }

    int size() {
        return byId.size();
    }

    /** Makes messages visible whose time is over. If a message was hidden in the future, the clock was set back, and the message is visible. */
    private void show(Instant now) {
        while (!hiddenByEnd.isEmpty() && !hiddenByEnd.first().visibleFrom().isAfter(now)) {
            show(hiddenByEnd.first());
        }
        while (!hiddenByStart.isEmpty() && hiddenByStart.last().hiddenAt().isAfter(now.plus(MAX_SKEW))) {
            show(hiddenByStart.last());
        }
    }

    private void show(QueueEntry entry) {
        hiddenByEnd.remove(entry);
        hiddenByStart.remove(entry);
        (isSpent.test(entry) ? spent : visible).add(entry);
    }
}
