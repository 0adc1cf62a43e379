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
 * Hands the messages of one queue to one function, at least once and in no particular order: what the function took is deleted; what
 * it failed on comes back when the queue's visibility timeout is over, or when the function asked for it, until it was received as often as the queue allows. Any number
 * of threads may deliver at the same time, each a batch of its own.
 */
final class QueueDelivery {

    private final String functionName;
    private final QueueMapping mapping;
    private final QueueFunction function;
    private final EmulatedQueue queue;
    private final EmulatedQueues queues;
    private final DeadLetters deadLetters;
    private final Clock clock;
    private final EmulatorLog log;

    QueueDelivery(
            String functionName,
            QueueMapping mapping,
            QueueFunction function,
            EmulatedQueue queue,
            EmulatedQueues queues,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this.functionName = functionName;
        this.mapping = mapping;
        this.function = function;
        this.queue = queue;
        this.queues = queues;
        this.deadLetters = deadLetters;
        this.clock = clock;
        this.log = log;
    }

    /**
     * What became of one batch.
     *
     * @param received how many messages it had; none when nothing could be received
     * @param taken how many of them the function took
     */
    record Delivered(int received, int taken) {}

    /** Hands over one batch of what can be received, and puts away what was received too often. */
    Delivered deliver() {
        putAwaySpent();
        List<Received> batch = queue.receive(mapping.batchSize(), clock.instant());
        return new Delivered(batch.size(), batch.isEmpty() ? 0 : attempt(batch));
    }

    private int attempt(List<Received> batch) {
        List<String> named;
        try {
            named = function.take(batch.stream().map(this::json).toList());
        } catch (FunctionFailedException e) {
            log.failure("queue_batch_failed", functionName, e.getCause());
            return 0;
        }
        Set<String> failed = Set.copyOf(mapping.reportsBatchItemFailures() ? named : List.<String>of());
        Set<String> ids =
                batch.stream().map(received -> received.message().id()).collect(Collectors.toSet());
        if (!ids.containsAll(failed)) {
            // As Lambda has it: an answer that names what was not in the batch fails the whole batch.
            log.warn("queue_batch_failed", Map.of("function", functionName, "reason", "unknown item identifier"));
            return 0;
        }
        List<Received> taken = batch.stream()
                .filter(received -> !failed.contains(received.message().id()))
                .toList();
        taken.forEach(queue::delete);
        return taken.size();
    }

    private synchronized void putAwaySpent() {
        for (Received spent : queue.spent(clock.instant())) {
            String reason = "received " + spent.receives() + " times";
            log.warn(
                    "message_given_up",
                    Map.of("function", functionName, "reason", reason, "see", DeadLettersPage.PATH));
            queues.moveToDeadLetters(queue, spent);
            deadLetters.add(new DeadLetter(functionName, clock.instant(), reason, json(spent)));
        }
    }

    private ObjectNode json(Received received) {
        return MessageJson.of(received, mapping.queueArn());
    }
}
