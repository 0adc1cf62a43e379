package dev.agenthealth.local.queues;

import dev.agenthealth.testkit.TestSqs;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Reads a local queue as a subscriber does. */
public final class QueueReader {

    private static final int MOST = 1_000;

    private QueueReader() {}

    /** Receives what is there. */
    public static List<TestSqs.Message> receive(LocalQueues queues, String url, Clock clock) {
        return queue(queues, url).receive(MOST, clock.instant()).stream()
                .map(received -> new TestSqs.Message(
                        url, received.message().id(), received.message().body(), received.receiptHandle()))
                .toList();
    }

    /** Deletes a message that was received. */
    public static void delete(LocalQueues queues, TestSqs.Message message) {
        Message sent = new Message(message.messageId(), message.body(), Instant.EPOCH);
        queue(queues, message.queueUrl()).delete(new Received(sent, message.receiptHandle(), 1, Instant.EPOCH));
    }

    private static LocalQueue queue(LocalQueues queues, String url) {
        return queues.atUrl(url).orElseThrow(() -> new AssertionError("there is no queue " + url));
    }
}
