package dev.agenthealth.local.testing;

import dev.agenthealth.emulator.sqs.EmulatedQueues;
import dev.agenthealth.emulator.sqs.Message;
import dev.agenthealth.emulator.sqs.Received;
import dev.agenthealth.testkit.TestSqs;
import java.time.Instant;
import java.util.List;

/** Reads an emulated queue as a subscriber does. */
public final class QueueReader {

    private static final int MAX_MESSAGES = 1_000;

    private QueueReader() {}

    /** Receives the messages of a queue. */
    public static List<TestSqs.Message> receive(EmulatedQueues queues, String url) {
        return queues.receive(url, MAX_MESSAGES).stream()
                .map(received -> new TestSqs.Message(
                        url, received.message().id(), received.message().body(), received.receiptHandle()))
                .toList();
    }

    /** Deletes a message that was received. */
    public static void delete(EmulatedQueues queues, TestSqs.Message message) {
        Message sent = new Message(message.messageId(), message.body(), Instant.EPOCH);
        queues.delete(message.queueUrl(), new Received(sent, message.receiptHandle(), 1, Instant.EPOCH));
    }
}
