package dev.agenthealth.functions.gateway;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.identity.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Executes a batch of queue messages concurrently: invocations, commands, notifications and cancellations. Thread-safe. */
public final class QueuedInvocations {

    private final InvocationWorker worker;
    private final CommandDelivery commands;
    private final TaskCancellation cancellations;
    private final PushDelivery pushes;
    private final InvocationQueue queue;
    private final Executor executor;
    private final Log log;
    private final ThrottleMonitor throttles;

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public QueuedInvocations(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this.log = wiring.log();
        Gateway gateway = new Gateway(wiring, Database.of(wiring), resolver, tls, log);
        this.worker = gateway.worker();
        this.commands = gateway.commands(CommandDelivery.TIMEOUT);
        this.pushes = gateway.deliveries();
        this.cancellations = gateway.cancellations();
        this.queue = new InvocationQueue(wiring);
        this.executor =
                wiring.storageMeter().propagating(Executors.newCachedThreadPool(DaemonThreads.named("invocation")));
        this.throttles = new ThrottleMonitor("InvocationWorkerFunction", wiring.storageMeter(), log);
    }

    /** Executes the messages. Returns the messages that the queue has to deliver again. */
    public List<BatchItemFailure> execute(List<SQSMessage> messages) {
        return throttles.during(() -> undone(messages));
    }

    private List<BatchItemFailure> undone(List<SQSMessage> messages) {
        // All messages are started before the first one is joined.
        List<Begun> begun = messages.stream().map(this::begin).toList();
        return begun.stream()
                .filter(one -> !one.done().join())
                .map(one -> new BatchItemFailure(one.messageId()))
                .toList();
    }

    private record Begun(String messageId, CompletableFuture<Boolean> done) {}

    private Begun begin(SQSMessage message) {
        return new Begun(message.getMessageId(), CompletableFuture.supplyAsync(() -> isDone(message), executor));
    }

    private boolean isDone(SQSMessage message) {
        Optional<String> commanded = CommandQueue.agentId(message.getBody());
        if (commanded.isPresent()) {
            commands.deliver(commanded.get(), message.getMessageId());
            return true;
        }
        Optional<CommandQueue.Cancellation> cancellation = CommandQueue.cancellation(message.getBody());
        if (cancellation.isPresent()) {
            return cancels("shard " + cancellation.get().shard(), () -> cancellations.work(cancellation.get()));
        }
        Optional<CommandQueue.Look> look = CommandQueue.laterLook(message.getBody());
        if (look.isPresent()) {
            return cancels("task", () -> cancellations.look(look.get()));
        }
        String receiptId = message.getBody();
        boolean notifies = PushDelivery.isNotification(receiptId);
        if (!notifies && !Ids.isValid(receiptId)) {
            // The gateway did not send this message. It goes to the dead-letter queue for an operator.
            return false;
        }
        try {
            Optional<Duration> pause = notifies ? pushes.deliver(receiptId) : worker.work(receiptId);
            pause.ifPresent(untilNextTry -> redeliver(message, untilNextTry));
            return pause.isEmpty();
        } catch (RuntimeException e) {
            log.failure("invocation_not_done", receiptId, e);
            return false;
        }
    }

    private boolean cancels(String what, Runnable work) {
        try {
            work.run();
            return true;
        } catch (RuntimeException e) {
            log.failure("tasks_not_cancelled", what, e);
            return false;
        }
    }

    private void redeliver(SQSMessage message, Duration pause) {
        try {
            queue.redeliver(message.getReceiptHandle(), pause);
        } catch (RuntimeException e) {
            // The queue delivers the message again after its visibility timeout.
            log.failure("invocation_not_hastened", message.getBody(), e);
        }
    }
}
