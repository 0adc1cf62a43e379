package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.StorageMeter;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.gateway.InvocationFailure;
import dev.agenthealth.model.gateway.Receipt;
import dev.agenthealth.model.gateway.ReceiptState;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Finishes what invocations left behind whose function was stopped: the outcome of one that is over counts, and one at which nobody can be
 * working any more is over, without anything being held against the agent. Two at once do no harm. Thread-safe.
 */
public final class ReceiptRepair {

    private static final int THREADS = 8;

    /** So many receipts of a shard are taken at a time. */
    private static final int PORTION = 200;

    private final ReceiptStore receipts;
    private final InvocationRecords records;
    private final Executor executor;
    private final Log log;
    private final Clock clock;

    /** The repair of a deployed function, with threads of its own. */
    public static ReceiptRepair of(Wiring wiring, Log log) {
        return new ReceiptRepair(
                Stores.of(wiring),
                wiring.storageMeter(),
                wiring.storageMeter().carrying(Executors.newFixedThreadPool(THREADS, DaemonThreads.named("receipts"))),
                log,
                wiring.clock());
    }

    ReceiptRepair(Stores stores, StorageMeter meter, Executor executor, Log log, Clock clock) {
        this.receipts = stores.receipts();
        this.records = new InvocationRecords(stores, meter, log);
        this.executor = executor;
        this.log = log;
        this.clock = clock;
    }

    /**
     * What was done.
     *
     * @param counted invocations that were over but not counted
     * @param interrupted invocations that nobody will finish
     * @param failed receipts that stay as they are until the next time
     */
    public record Numbers(long counted, long interrupted, long failed) {}

    /**
     * Goes through all receipts whose deadline has passed.
     *
     * @param timeLeft whether there is time for one more
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
            List<String> due = receipts.due(shard, clock.instant(), PORTION + seen.size()).stream()
                    // The index is a moment behind, and what failed stays in it.
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
        if (receipt.state() instanceof ReceiptState.Finished end) {
            records.count(receipt.id(), receipt.agentId(), end);
            tally.counted().incrementAndGet();
        } else if (receipt.deadline().isBefore(clock.instant()) && interrupt(receipt)) {
            tally.interrupted().incrementAndGet();
            log.warn(
                    "invocation_interrupted",
                    Map.of(
                            "receipt_id", receipt.id(),
                            "agent_id", receipt.agentId(),
                            "was", receipt.state().word()));
        }
    }

    private boolean interrupt(Receipt receipt) {
        return receipts.abandon(receipt, new ReceiptState.Failed(clock.instant(), 0, InvocationFailure.INTERRUPTED));
    }
}
