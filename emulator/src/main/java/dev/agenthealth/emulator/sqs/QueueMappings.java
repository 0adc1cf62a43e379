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

/** All mappings of queues to functions that the template has: on their own, or whenever somebody says so. */
public final class QueueMappings implements AutoCloseable {

    /** As many batches at the same time as Lambda begins with. */
    private static final int BATCHES_AT_ONCE = 5;

    private static final long POLL_MILLIS = 100;
    private static final long CLOSE_SECONDS = 5;

    private final List<Mapped> mapped = new ArrayList<>();
    private final ScheduledThreadPoolExecutor threads;
    private final EmulatorLog log;

    private record Mapped(QueueDelivery delivery, int batchesAtOnce) {}

    /**
     * @param functions those of the template, whether or not they take messages
     * @param deadLetters where messages are noted that were given up
     * @throws IllegalStateException when a function that is mapped to a queue does not take its events or may run for longer than the
     *     queue hides what it received, or when there is no such queue
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
                        function.definition().name(),
                        mapping,
                        messages -> take(function, messages),
                        queueOf(function, mapping, queues),
                        queues,
                        deadLetters,
                        clock,
                        log);
                int limit = mapping.maximumConcurrency();
                mapped.add(new Mapped(delivery, limit == 0 ? BATCHES_AT_ONCE : Math.min(limit, BATCHES_AT_ONCE)));
            }
        }
        int most = mapped.stream().mapToInt(Mapped::batchesAtOnce).sum();
        threads = new ScheduledThreadPoolExecutor(Math.max(1, most), DaemonThreads.named("queues"));
        threads.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    /** Hands messages over by itself from now on, within some 100 ms of their being sent. */
    public void start() {
        for (Mapped each : mapped) {
            for (int poller = 0; poller < each.batchesAtOnce(); poller++) {
                threads.scheduleWithFixedDelay(() -> poll(each.delivery()), 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    /**
     * Hands over what can be received, now. What a function fails on comes back when the queue's visibility timeout is over.
     *
     * @return how many messages the functions took
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

    /** Lets the batches under way end, for at most 5 s. */
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
            // An executor drops a task that throws; what was received comes back.
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
            throw new UncheckedIOException("what Lambda's own library wrote is no JSON", e);
        }
        return failed;
    }
}
