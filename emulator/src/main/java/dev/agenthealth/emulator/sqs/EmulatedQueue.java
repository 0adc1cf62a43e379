package dev.agenthealth.emulator.sqs;

import dev.agenthealth.emulator.support.RequestIds;
import dev.agenthealth.template.QueueDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A queue. A received message is hidden from other receivers until the visibility timeout ends, or until the time that its receiver sets.
 * The receiver has to delete it before then. The order of messages is approximately the order of sending. Thread-safe.
 */
final class EmulatedQueue {

    private final QueueDefinition definition;
    private final MessageStore store;
    private final QueueOrder messages;
    private long sent;

    /** @param store holds the queue's initial messages */
    EmulatedQueue(QueueDefinition definition, MessageStore store) {
        this(definition, store, () -> {});
    }

    /** @param step is run for each comparison of two messages */
    EmulatedQueue(QueueDefinition definition, MessageStore store, Runnable step) {
        this.definition = definition;
        this.store = store;
        this.messages = new QueueOrder(
                entry -> definition.maximumReceives() > 0 && entry.receives() >= definition.maximumReceives(), step);
        // A stored time may come from a wrong clock, so that it must not hide the message.
        store.load().forEach(message -> put(message, Instant.MIN, Instant.MIN));
    }

    QueueDefinition definition() {
        return definition;
    }

    /** Adds new messages that are hidden until {@code visibleFrom}, and returns when they are on the disk. */
    void add(List<Message> added, Instant visibleFrom) {
        add(added, visibleFrom, true);
    }

    /** Adds new messages. Receivers do not wait while the messages are stored, as {@link MessageStore#keep} says. */
    void add(List<Message> added, Instant visibleFrom, boolean synced) {
        store.keep(added, synced);
        synchronized (this) {
            added.forEach(message -> put(message, message.sentAt(), visibleFrom));
        }
    }

    private void put(Message message, Instant hiddenAt, Instant visibleFrom) {
        messages.put(QueueEntry.of(message, sent, hiddenAt, visibleFrom));
        sent++;
    }

    /** Receives at most {@code atMost} messages and hides them for the queue's visibility timeout. */
    synchronized List<Received> receive(int atMost, Instant now) {
        forgetOld(now);
        List<QueueEntry> taken = new ArrayList<>();
        Optional<QueueEntry> next = messages.firstVisible(now);
        while (taken.size() < atMost && next.isPresent()) {
            messages.remove(next.get().message().id());
            taken.add(next.get().received(RequestIds.next(), now, now.plus(definition.visibilityTimeout())));
            next = messages.firstVisible(now);
        }
        // Only now, as a visibility timeout of zero must not give one receiver the same message twice.
        taken.forEach(messages::put);
        return taken.stream().map(QueueEntry::received).toList();
    }

    /** Returns the visible messages that reached the maximum number of receives and are not received again. */
    synchronized List<Received> spent(Instant now) {
        return messages.spent(now).stream().map(QueueEntry::received).toList();
    }

    /** Deletes the messages with these receipt handles. A message that was received again since stays. */
    void delete(List<String> receiptHandles) {
        forget(removed(receiptHandles));
    }

    private synchronized List<Message> removed(List<String> receiptHandles) {
        List<Message> removed = new ArrayList<>();
        for (String handle : receiptHandles) {
            messages.withHandle(handle).ifPresent(entry -> {
                messages.remove(entry.message().id());
                removed.add(entry.message());
            });
        }
        return removed;
    }

    private void forget(List<Message> removed) {
        if (!removed.isEmpty()) {
            store.forget(removed);
        }
    }

    /** Hides a received message until {@code until}. */
    synchronized Hiding hide(String receiptHandle, Instant now, Instant until) {
        Optional<QueueEntry> found = messages.withHandle(receiptHandle);
        if (found.isEmpty()) {
            return Hiding.UNKNOWN;
        }
        if (!messages.isHidden(found.get(), now)) {
            return Hiding.NOT_IN_FLIGHT;
        }
        messages.put(found.get().hidden(now, until));
        return Hiding.HIDDEN;
    }

    /** Returns the number of messages, including hidden messages. */
    synchronized int size() {
        return messages.size();
    }

    private void forgetOld(Instant now) {
        Instant oldest = now.minus(definition.retention());
        List<Message> removed = new ArrayList<>();
        for (Optional<QueueEntry> old = messages.sentBefore(oldest);
                old.isPresent();
                old = messages.sentBefore(oldest)) {
            messages.remove(old.get().message().id());
            removed.add(old.get().message());
        }
        forget(removed);
    }
}
