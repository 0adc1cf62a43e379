package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.StorageMeter;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.OpenTaskStore;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.invocations.TaskAccessStore;
import dev.agenthealth.model.gateway.CallResult;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Repairs the receipts of invocations whose function was stopped. It counts the outcomes of finished invocations, and marks invocations past their
 * deadline as interrupted, which does not count against the agent. Concurrent repairs are harmless. Thread-safe.
 */
public final class ReceiptRepair {

    private static final int THREADS = 8;

    /** The maximum number of receipts of a shard per query. */
    private static final int BATCH_SIZE = 200;

    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Executor executor;
    private final Log log;
    private final Clock clock;

    /** Returns the repair of a deployed function, with its own threads. */
    public static ReceiptRepair of(Wiring wiring, Log log) {
        return new ReceiptRepair(
                Database.of(wiring),
                wiring.storageMeter(),
                wiring.storageMeter().propagating(DaemonThreads.pool(THREADS, "receipts")),
                log,
                wiring.clock());
    }

    ReceiptRepair(Database database, StorageMeter meter, Executor executor, Log log, Clock clock) {
        this.receipts = new ReceiptStore(database);
        this.records = new InvocationRecords(
                database,
                // The measurement has no queue. The next call of the gateway shows how a repaired task goes on.
                new TaskAccess(
                        new TaskAccessStore(database),
                        new OpenTasks(new OpenTaskStore(database), look -> {}, clock, log)),
                new Trials(database, clock, log),
                meter,
                log);
        this.executor = executor;
        this.log = log;
        this.clock = clock;
    }

    /**
     * The numbers of repaired receipts.
     *
     * @param counted the number of finished invocations with an outcome that is counted now
     * @param interrupted the number of invocations marked as interrupted
     * @param failed the number of receipts with a failed repair, which the next run repeats
     */
    public record Numbers(long counted, long interrupted, long failed) {}

    /**
     * Repairs all receipts with a passed deadline.
     *
     * @param timeLeft returns whether there is time for another receipt
     */
    public Numbers run(BooleanSupplier timeLeft) {
        Tally tally = new Tally();
        List<CompletableFuture<Void>> shards = IntStream.range(0, ReceiptStore.SHARDS)
                .mapToObj(shard -> CompletableFuture.runAsync(() -> repair(shard, timeLeft, tally), executor))
                .toList();
        shards.forEach(CompletableFuture::join);
        return new Numbers(tally.counted.get(), tally.interrupted.get(), tally.failed.get());
    }

    private record Tally(AtomicLong counted, AtomicLong interrupted, AtomicLong failed) {

        Tally() {
            this(new AtomicLong(), new AtomicLong(), new AtomicLong());
        }
    }

    private void repair(int shard, BooleanSupplier timeLeft, Tally tally) {
        Set<String> seen = new HashSet<>();
        while (true) {
            List<String> due = receipts.due(shard, clock.instant(), BATCH_SIZE + seen.size()).stream()
                    // The index is eventually consistent, and failed receipts stay in it.
                    .filter(seen::add)
                    .toList();
            if (due.isEmpty()) {
                return;
            }
            for (String receiptId : due) {
                if (!timeLeft.getAsBoolean()) {
                    return;
                }
                repair(receiptId, tally);
            }
        }
    }

    private void repair(String receiptId, Tally tally) {
        try {
            receipts.find(receiptId).ifPresent(receipt -> repair(receipt, tally));
        } catch (RuntimeException e) {
            tally.failed().incrementAndGet();
            log.failure("receipt_not_repaired", receiptId, e);
        }
    }

    private void repair(Receipt receipt, Tally tally) {
        if (receipt.result().isPresent()) {
            records.count(receipt.id(), receipt.agentId(), receipt.result().get());
            tally.counted().incrementAndGet();
        } else if (receipt.deadline().isBefore(clock.instant()) && interrupt(receipt)) {
            tally.interrupted().incrementAndGet();
            log.warn(
                    "invocation_interrupted",
                    Map.of(
                            "receipt_id", receipt.id(),
                            "agent_id", receipt.agentId(),
                            "was", receipt.state().wireName()));
        }
    }

    private boolean interrupt(Receipt receipt) {
        return receipts.abandon(receipt, CallResult.failure(InvocationFailure.INTERRUPTED, clock.instant(), 0));
    }
}
