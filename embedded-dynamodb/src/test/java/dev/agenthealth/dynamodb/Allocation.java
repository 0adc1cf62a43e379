package dev.agenthealth.dynamodb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counts the bytes that requests allocate. */
final class Allocation {

    private static final int WARM_UP = 300;
    private static final int BATCHES = 10;
    private static final int BATCH = 20;

    private Allocation() {}

    /** Returns the bytes of one request: the least of several batches, because compilation allocates now and then. */
    static long of(Runnable request) {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < WARM_UP; i++) {
            request.run();
        }
        long least = Long.MAX_VALUE;
        for (int i = 0; i < BATCHES; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < BATCH; j++) {
                request.run();
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / BATCH);
        }
        System.out.println("a request allocates " + least + " bytes");
        return least;
    }
}
