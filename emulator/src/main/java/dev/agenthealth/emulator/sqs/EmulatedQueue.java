package dev.agenthealth.emulator.sqs;

import dev.agenthealth.template.QueueDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A queue. A received message is hidden from other receivers until the visibility timeout ends, or until the time that its receiver sets.
 * The receiver has to delete it before then. The order of messages is approximately the order of sending. Thread-safe.
 */
final class EmulatedQueue {

    /** The maximum difference between two clocks that is no step. */
    private static final Duration MAX_SKEW = Duration.ofSeconds(2);

    private final QueueDefinition definition;
    private final MessageStore store;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /** A message and its state. */
    private record Entry(
            Message message,
            Instant hiddenAt,
            Instant visibleFrom,
            int receives,
            Instant firstReceivedAt,
            String handle) {

        Received received() {
            return new Received(message, handle, receives, firstReceivedAt);
        }
    }

    /** @param store holds the queue's initial messages */
    EmulatedQueue(QueueDefinition definition, MessageStore store) {
        this.definition = definition;
        this.store = store;
        // A stored time may come from a wrong clock, so that it must not hide the message.
        store.load().forEach(message -> put(message, Instant.MIN, Instant.MIN));
    }

    QueueDefinition definition() {
        return definition;
    }

    /** Adds a message that is hidden until {@code visibleFrom}. */
    synchronized void add(Message message, Instant visibleFrom) {
        store.keep(message);
        put(message, message.sentAt(), visibleFrom);
    }

    /** Receives at most {@code atMost} messages and hides them for the queue's visibility timeout. */
    synchronized List<Received> receive(int atMost, Instant now) {
        forgetOld(now);
        List<Received> received = new ArrayList<>();
        for (Iterator<Map.Entry<String, Entry>> each = entries.entrySet().iterator();
                each.hasNext() && received.size() < atMost; ) {
            Map.Entry<String, Entry> place = each.next();
            Entry entry = place.getValue();
            if (isVisible(entry, now) && !isSpent(entry)) {
                Entry taken = new Entry(
                        entry.message(),
                        now,
                        now.plus(definition.visibilityTimeout()),
                        entry.receives() + 1,
                        entry.receives() == 0 ? now : entry.firstReceivedAt(),
                        UUID.randomUUID().toString());
                place.setValue(taken);
                received.add(taken.received());
            }
        }
        return received;
    }

    /** Returns the visible messages that reached the maximum number of receives and are not received again. */
    synchronized List<Received> spent(Instant now) {
        return entries.values().stream()
                .filter(entry -> isVisible(entry, now) && isSpent(entry))
                .map(Entry::received)
                .toList();
    }

    /** Deletes a message unless it was received again since. */
    synchronized void delete(Received received) {
        Entry entry = entries.get(received.message().id());
        if (entry != null && entry.handle().equals(received.receiptHandle())) {
            entries.remove(entry.message().id());
            store.forget(entry.message().id());
        }
    }

    /** Deletes the message with this receipt handle; does nothing if it was received again since. */
    synchronized void delete(String receiptHandle) {
        entries.values().stream()
                .filter(entry -> !receiptHandle.isEmpty() && entry.handle().equals(receiptHandle))
                .findFirst()
                .ifPresent(entry -> {
                    entries.remove(entry.message().id());
                    store.forget(entry.message().id());
                });
    }

    /** Hides a received message until {@code until}. */
    synchronized Hiding hide(String receiptHandle, Instant now, Instant until) {
        Optional<Entry> found = entries.values().stream()
                .filter(entry -> !receiptHandle.isEmpty() && entry.handle().equals(receiptHandle))
                .findFirst();
        if (found.isEmpty()) {
            return Hiding.UNKNOWN;
        }
        Entry entry = found.get();
        if (isVisible(entry, now)) {
            return Hiding.NOT_IN_FLIGHT;
        }
        entries.put(
                entry.message().id(),
                new Entry(entry.message(), now, until, entry.receives(), entry.firstReceivedAt(), receiptHandle));
        return Hiding.HIDDEN;
    }

    /** Returns the number of messages, including hidden messages. */
    synchronized int size() {
        return entries.size();
    }

    private void put(Message message, Instant hiddenAt, Instant visibleFrom) {
        entries.put(message.id(), new Entry(message, hiddenAt, visibleFrom, 0, Instant.EPOCH, ""));
    }

    private void forgetOld(Instant now) {
        Instant oldest = now.minus(definition.retention());
        for (Iterator<Entry> each = entries.values().iterator(); each.hasNext(); ) {
            Message message = each.next().message();
            if (message.sentAt().isBefore(oldest)) {
                each.remove();
                store.forget(message.id());
            }
        }
    }

    private boolean isSpent(Entry entry) {
        return definition.maximumReceives() > 0 && entry.receives() >= definition.maximumReceives();
    }

    /** Returns true if the message is visible. If it was hidden in the future, the clock was set back, and the message is visible. */
    private static boolean isVisible(Entry entry, Instant now) {
        return !entry.visibleFrom().isAfter(now) || entry.hiddenAt().isAfter(now.plus(MAX_SKEW));
    }
}
