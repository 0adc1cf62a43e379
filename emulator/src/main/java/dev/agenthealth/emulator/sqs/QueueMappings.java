package dev.agenthealth.emulator.sqs;

import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.emulator.deadletters.DeadLetters;
import dev.agenthealth.emulator.lambda.EmulatedFunction;
import dev.agenthealth.emulator.sqs.QueueDelivery.Delivered;
import dev.agenthealth.emulator.support.DaemonThreads;
import dev.agenthealth.emulator.support.EmulatorLog;
import dev.agenthealth.emulator.support.Json;
import dev.agenthealth.template.QueueMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Delivers messages to functions by the template's event source mappings, continuously after {@link #start} or by {@link #drain}. */
public final class QueueMappings implements AutoCloseable {

    /** The number of concurrent batches with which Lambda starts. */
    private static final int CONCURRENT_BATCHES = 5;

    private static final long POLL_MILLIS = 100;
    private static final long CLOSE_SECONDS = 5;

    private final List<Mapped> mapped = new ArrayList<>();
    private final ScheduledThreadPoolExecutor threads;
    private final EmulatorLog log;

    private record Mapped(QueueDelivery delivery, int batchesAtOnce) {}

    /**
     * @param functions all functions of the template
     * @param deadLetters receives the messages that are not delivered again
     * @throws IllegalStateException if a mapped function does not take SQS events, may run for longer than its queue's visibility timeout,
     *     or names an unknown queue
     */
    public QueueMappings(
            Collection<EmulatedFunction> functions,
            EmulatedQueues queues,
            DeadLetters deadLetters,
            Clock clock,
            EmulatorLog log) {
        this.log = log;
        for (EmulatedFunction function : functions) {
            for (QueueMapping mapping : function.definition().queues()) {
                QueueDelivery delivery = new QueueDelivery(
                        new QueueDelivery.Receiver(
                                function.definition().name(), mapping, messages -> take(function, messages)),
                        queueOf(function, mapping, queues),
                        queues,
                        deadLetters,
                        clock,
                        log);
                int limit = mapping.maximumConcurrency();
                mapped.add(new Mapped(delivery, limit == 0 ? CONCURRENT_BATCHES : Math.min(limit, CONCURRENT_BATCHES)));
            }
        }
        int threadCount = mapped.stream().mapToInt(Mapped::batchesAtOnce).sum();
        threads = new ScheduledThreadPoolExecutor(Math.max(1, threadCount), DaemonThreads.named("queues"));
        threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    /** Starts to deliver messages, about 100 ms after they are sent. */
    public void start() {
        for (Mapped each : mapped) {
            for (int poller = 0; poller < each.batchesAtOnce(); poller++) {
                threads.scheduleWithFixedDelay(() -> poll(each.delivery()), 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /**
     * Delivers every visible message now. A message on which a function fails is visible again after the visibility timeout.
     *
     * @return the number of messages that the functions processed
     */
    public int drain() {
        int taken = 0;
        for (Mapped each : mapped) {
            Delivered delivered = each.delivery().deliver();
            while (delivered.received() > 0) {
                taken += delivered.taken();
                delivered = each.delivery().deliver();
            }
        }
        return taken;
    }

    /** Stops delivering and waits at most 5 s for batches in progress. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void poll(QueueDelivery delivery) {
        try {
            int received = delivery.deliver().received();
            while (received > 0 && !threads.isShutdown()) {
                received = delivery.deliver().received();
            }
        } catch (RuntimeException e) {
            // An executor drops a task that throws; the messages become visible again.
            log.failure("queue_poll_failed", "queues", e);
        }
    }

    private static EmulatedQueue queueOf(EmulatedFunction function, QueueMapping mapping, EmulatedQueues queues) {
        String name = function.definition().logicalId() + "." + mapping.name();
        if (!function.takes(SQSEvent.class)) {
            throw new IllegalStateException(name + ": the function does not take an SQSEvent");
        }
        EmulatedQueue queue = queues.withArn(mapping.queueArn())
                .orElseThrow(() -> new IllegalStateException(name + ": there is no queue " + mapping.queueArn()));
        if (function.definition().timeout().compareTo(queue.definition().visibilityTimeout()) > 0) {
            throw new IllegalStateException(
                    name + ": the function may run for longer than its queue's visibility timeout");
        }
        return queue;
    }

    private static List<String> take(EmulatedFunction function, List<ObjectNode> messages) {
        ObjectNode event = Json.object();
        event.putArray("Records").addAll(messages);
        List<String> failed = new ArrayList<>();
        try {
            JsonNode answer = Json.read(function.invoke(Json.bytes(event)));
            answer.path("batchItemFailures")
                    .forEach(
                            failure -> failed.add(failure.path("itemIdentifier").asText("")));
        } catch (IOException e) {
            throw new UncheckedIOException("Lambda's serializer wrote invalid JSON", e);
        }
        return failed;
    }
}
