package dev.agenthealth.functions.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.ClockRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRule;
import dev.agenthealth.model.sweep.ProbeTimeoutRules;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Memory that a pass of the sweep allocates for an agent that is not due, which does not depend on the machine's speed. */
class SegmentCostTest {

    private static final int AGENTS = 100;
    private static final int ROUNDS = 300;
    private static final long MAX_BYTES = 4_600;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final FleetScan fleet = new FleetScan(system.database());

    @Test
    void an_agent_that_is_not_due_allocates_little() {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < AGENTS; i++) {
            assertThat(new TestAgent(system, "agent-" + i).register("").status())
                    .isEqualTo(201);
        }
        long least = Long.MAX_VALUE;
        // Compilation allocates now and then.
        for (int i = 0; i < ROUNDS; i++) {
            SegmentReader reader = reader();
            long before = threads.getCurrentThreadAllocatedBytes();
            fleet.segment(0, 1, reader::add, reader::addCanary);
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / AGENTS);
            assertThat(reader.due()).isEmpty();
        }
        System.out.println("an agent allocates " + least + " bytes in a pass");
        assertThat(least).isPositive().isLessThan(MAX_BYTES);
    }

    private SegmentReader reader() {
        Instant now = system.clock().instant();
        Inspection inspection = new Inspection(
                now,
                ProbeTimeoutRules.ofAll(new ProbeTimeoutRule(now, false)),
                now,
                new Inspection.After(Inspection.NO_MARKS, Inspection.NO_DAYS, Inspection.NO_PROBES, Duration.ZERO),
                Set.of(),
                ClockRule.MAX_PASS,
                false);
        return new SegmentReader(
                DueRows.of(inspection, BlockStore.InForce.NOTHING, Map.of()),
                Inspection.NO_PROBES,
                Set.of(),
                Optional.empty(),
                ContainmentStore.Watch.NONE);
    }
}
