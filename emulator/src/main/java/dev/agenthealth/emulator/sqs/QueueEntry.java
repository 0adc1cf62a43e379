package dev.agenthealth.emulator.sqs;

import java.time.Instant;

/**
 * A message of a queue and its state. Immutable.
 *
 * @param number counts the messages of the queue in the order of sending
 * @param hiddenAt the moment at which the message was hidden
 * @param visibleFrom the end of the time in which the message is hidden
 * @param receives the number of times that the message was received
 * @param firstReceivedAt the moment of the first receive; {@link Instant#EPOCH} before it
 * @param handle the receipt handle of the last receive; empty before the first receive
 */
record QueueEntry(
        Message message,
        long number,
        Instant hiddenAt,
        Instant visibleFrom,
        int receives,
        Instant firstReceivedAt,
        String handle) {

    /** Returns the entry of a message that was never received. */
    static QueueEntry of(Message message, long number, Instant hiddenAt, Instant visibleFrom) {
        return new QueueEntry(message, number, hiddenAt, visibleFrom, 0, Instant.EPOCH, "");
    }

    /** Returns the entry after one more receive. */
    QueueEntry received(String newHandle, Instant now, Instant until) {
        return new QueueEntry(
                message, number, now, until, receives + 1, receives == 0 ? now : firstReceivedAt, newHandle);
    }

    /** Returns the entry that is hidden for another time. */
    QueueEntry hidden(Instant now, Instant until) {
        return new QueueEntry(message, number, now, until, receives, firstReceivedAt, handle);
    }

    /** Returns the message as its receiver gets it. */
    Received received() {
        return new Received(message, handle, receives, firstReceivedAt);
    }
}
