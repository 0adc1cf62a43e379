package dev.agenthealth.benchmarks.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory that a heartbeat allocates, which does not depend on the machine's speed. */
@Tag("R16-10")
@Tag("SYS-01")
@Tag("slow")
class HeartbeatAllocationTest {

    private static final int MAX_BYTES = 20 * 1_024;
    private static final int WARM_UP = 500;
    private static final int BATCHES = 10;
    private static final int BATCH = 50;

    @Test
    void a_heartbeat_allocates_at_most_20_kilobytes_outside_the_sdk() {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        HeartbeatPath path = new HeartbeatPath();
        assertThat(path.answer().getStatusCode()).isEqualTo(200);
        for (int i = 0; i < WARM_UP; i++) {
            path.answer();
        }
        long least = Long.MAX_VALUE;
        // Compilation and the metric of every minute allocate now and then; the least of several batches is without
        // them.
        for (int i = 0; i < BATCHES; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < BATCH; j++) {
                path.answer();
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / BATCH);
        }
        System.out.println("a heartbeat allocates " + least + " bytes");
        assertThat(least).isPositive().isLessThanOrEqualTo(MAX_BYTES);
    }
}
