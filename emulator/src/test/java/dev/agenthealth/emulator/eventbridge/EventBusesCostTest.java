package dev.agenthealth.emulator.eventbridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.agenthealth.template.RuleDefinition;
import dev.agenthealth.template.RuleTarget;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Memory that an event on a bus allocates, which does not depend on the machine's speed. */
class EventBusesCostTest {

    private static final int EVENTS = 10;
    private static final int ROUNDS = 300;
    private static final int FIELDS = 40;

    /** The bound of an event with a kilobyte of detail. As a tree that is written anew, it took 13,786 bytes. */
    private static final long MAX_BYTES = 11_500;

    private final EventBuses buses = new EventBuses(
            Set.of("bus"),
            List.of(
                    rule("{\"source\":[\"s\"]}", "queue"),
                    rule("{\"detail\":{\"field-1\":[{\"exists\":true}]}}", "log")),
            (target, envelopes) -> assertThat(envelopes).hasSize(EVENTS));

    private static RuleDefinition rule(String pattern, String target) {
        return new RuleDefinition(
                target, "bus", pattern, List.of(new RuleTarget(target, "arn:aws:" + target + ":us-east-1:0:x")));
    }

    @Test
    void an_event_becomes_no_tree() {
        assumeTrue(
                ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocated bytes");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        String detail = IntStream.range(0, FIELDS)
                .mapToObj(i -> "\"field-" + i + "\":\"a value of " + i + "\"")
                .collect(Collectors.joining(",", "{", "}"));
        List<BusEntry> entries =
                Collections.nCopies(EVENTS, new BusEntry(Instant.EPOCH, true, "s", "t", detail, List.of(), "bus"));
        // Compilation allocates now and then; the least of several rounds is without it.
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThat(buses.put(entries)).hasSize(EVENTS);
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / EVENTS);
        }
        System.out.println("an event allocates " + least + " bytes");
        assertThat(least).isLessThan(MAX_BYTES);
    }
}
