package dev.agenthealth.local.cli;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Collects old objects after the heap has grown. From Java 23 on, the serial collector enlarges the heap up to its maximum before it collects them;
 * earlier versions collect them after each growth. Not thread-safe.
 */
final class HeapGrowth {

    private static final String PROPERTY = "agent-health.collect-growth";

    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final long MIN_GROWTH_BYTES = 4L << 20;

    /** The heap may grow by this part of its size between two collections. */
    private static final long GROWTH_PART = 8;

    private final LongSupplier heapBytes;
    private final Runnable collection;
    private long collectedBytes;

    /** @param heapBytes returns the size of the heap, with its unused memory */
    HeapGrowth(LongSupplier heapBytes, Runnable collection) {
        this.heapBytes = heapBytes;
        this.collection = collection;
        this.collectedBytes = heapBytes.getAsLong();
    }

    /** Waits until the thread is interrupted. Meanwhile it checks the heap regularly if the system property permits it. */
    static void checkUntilInterrupted() throws InterruptedException {
        if (!Boolean.getBoolean(PROPERTY)) {
            Thread.currentThread().join();
        }
        HeapGrowth heap = new HeapGrowth(Runtime.getRuntime()::totalMemory, System::gc);
        while (true) {
            Thread.sleep(INTERVAL.toMillis());
            heap.check();
        }
    }

    /** Collects all objects if the heap has grown by an eighth, and by at least 4 MB, since the previous collection. */
    void check() {
        long growth = heapBytes.getAsLong() - collectedBytes;
        if (growth >= Math.max(MIN_GROWTH_BYTES, collectedBytes / GROWTH_PART)) {
            collection.run();
            collectedBytes = heapBytes.getAsLong();
        }
    }
}
