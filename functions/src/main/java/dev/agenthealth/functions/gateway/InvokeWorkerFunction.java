package dev.agenthealth.functions.gateway;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Does the invocations that nobody waits for, those of one batch at the same time. */
public final class InvokeWorkerFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {

    private final InvocationWorker worker;
    private final InvocationQueue queue;
    private final Executor executor;
    private final Log log;
    private final ThrottleWatch throttles;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /** For Lambda. */
    public InvokeWorkerFunction() {
        this(Wiring.fromEnvironment());
    }

    public InvokeWorkerFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usual());
    }

    /**
     * @param resolver finds the addresses of agents
     * @param tls makes connections to them secure
     */
    public InvokeWorkerFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this.log = wiring.log();
        Gateway gateway = new Gateway(wiring, resolver, tls, log);
        this.worker = gateway.worker();
        this.queue = new SqsInvocationQueue(wiring);
        this.priming = Priming.registered(wiring, log, gateway.rehearsedRead(), gateway.rehearsedCall());
        this.executor =
                wiring.storageMeter().carrying(Executors.newCachedThreadPool(DaemonThreads.named("invocation")));
        this.throttles = new ThrottleWatch("InvokeWorkerFunction", wiring.storageMeter(), log);
    }

    /**
     * Does what the messages name.
     *
     * @return the messages that are to come again
     */
    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        return new SQSBatchResponse(throttles.during(() -> undone(event.getRecords())));
    }

    private List<BatchItemFailure> undone(List<SQSMessage> messages) {
        // All are begun before the first one is waited for.
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
        String receiptId = message.getBody();
        if (!Ids.isValid(receiptId)) {
            // Whoever sent it, it ends among the dead letters, where an operator finds it.
            return false;
        }
        try {
            Optional<Duration> pause = worker.work(receiptId);
            pause.ifPresent(untilNextTry -> redeliver(message, untilNextTry));
            return pause.isEmpty();
        } catch (RuntimeException e) {
            log.failure("invocation_not_done", receiptId, e);
            return false;
        }
    }

    private void redeliver(SQSMessage message, Duration pause) {
        try {
            queue.redeliver(message.getReceiptHandle(), pause);
        } catch (RuntimeException e) {
            // It comes again all the same, when the queue's visibility timeout is over.
            log.failure("invocation_not_hastened", message.getBody(), e);
        }
    }
}
