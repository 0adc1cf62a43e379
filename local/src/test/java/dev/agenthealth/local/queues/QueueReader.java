package dev.agenthealth.local.queues;

import dev.agenthealth.functions.testing.TestSqs;
import java.time.Clock;
import java.util.List;

/** Reads a local queue as a subscriber does. */
public final class QueueReader {

    private static final int MOST = 1_000;

    private QueueReader() {}

    /** Receives what is there and deletes it. */
    public static List<TestSqs.Message> take(LocalQueues queues, String url, Clock clock) {
        LocalQueue queue = queues.atUrl(url).orElseThrow(() -> new AssertionError("there is no queue " + url));
        List<Received> received = queue.receive(MOST, clock.instant());
        received.forEach(queue::delete);
        return received.stream()
                .map(Received::message)
                .map(message -> new TestSqs.Message(url, message.id(), message.body()))
                .toList();
    }
}
