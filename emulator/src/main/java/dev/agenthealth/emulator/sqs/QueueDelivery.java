package dev.agenthealth.emulator.sqs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.deadletters.DeadLetters.DeadLetter;
import dev.agenthealth.emulator.deadletters.DeadLettersPage;
import dev.agenthealth.emulator.lambda.FunctionFailedException;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.template.QueueMapping;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Delivers the messages of one queue to one function, at least once and in no particular order. Thread-safe: each thread delivers its own
 * batch.
 *
 * <p>Processed messages are deleted. A failed message is visible again after the visibility timeout or at the time that the function set.
 * It is received at most the queue's maximum number of times.
 */
final class QueueDelivery {

    private final Receiver receiver;
    private final EmulatedQueue queue;
    private final EmulatedQueues queues;
    private final DeadLetters deadLetters;
    private final Clock clock;
    private final EmulatorLog log;

    /** The function that receives the messages of a mapping. */
    record Receiver(String functionName, QueueMapping mapping, QueueFunction function) {}

    QueueDelivery(
            Receiver receiver,
            EmulatedQueue queue,
            EmulatedQueues queues,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this.receiver = receiver;
        this.queue = queue;
        this.queues = queues;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.log = log;
    }

    /**
     * The result of one batch.
     *
     * @param received number of messages; zero if no message was visible
     * @param taken number of messages that the function processed
     */
    record Delivered(int received, int taken) {}

    /** Delivers one batch, and moves messages that were received too often to the dead-letter queue. */
    Delivered deliver() {
        moveSpent();
        List<Received> batch = queue.receive(receiver.mapping().batchSize(), clock.instant());
        return new Delivered(batch.size(), batch.isEmpty() ? 0 : attempt(batch));
    }

    private int attempt(List<Received> batch) {
        List<String> named;
        try {
            named = receiver.function().take(batch.stream().map(this::json).toList());
        } catch (FunctionFailedException e) {
            log.failure("queue_batch_failed", receiver.functionName(), e.getCause());
            return 0;
        }
        Set<String> failed = Set.copyOf(receiver.mapping().reportsBatchItemFailures() ? named : List.<String>of());
        Set<String> ids =
                batch.stream().map(received -> received.message().id()).collect(Collectors.toSet());
        if (!ids.containsAll(failed)) {
            // As in Lambda, an unknown identifier fails the whole batch.
            log.warn(
                    "queue_batch_failed",
                    Map.of("function", receiver.functionName(), "reason", "unknown item identifier"));
            return 0;
        }
        List<Received> taken = batch.stream()
                .filter(received -> !failed.contains(received.message().id()))
                .toList();
        queue.delete(taken.stream().map(Received::receiptHandle).toList());
        return taken.size();
    }

    private synchronized void moveSpent() {
        for (Received spent : queue.spent(clock.instant())) {
            String reason = "received " + spent.receives() + " times";
            log.warn(
                    "message_given_up",
                    Map.of("function", receiver.functionName(), "reason", reason, "see", DeadLettersPage.PATH));
            queues.moveToDeadLetters(queue, spent);
            deadLetters.add(new DeadLetter(receiver.functionName(), clock.instant(), reason, json(spent)));
        }
    }

    private ObjectNode json(Received received) {
        return MessageJson.of(received, receiver.mapping().queueArn());
    }
}
