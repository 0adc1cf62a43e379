package dev.agenthealth.functions.storage.pulses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.registry.lifecycle.Heartbeat;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.lifecycle.SeenBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How many rows are read, and signs of life that rest on a row as it was read. */
class PulseStoreTest {

    private static final int AGENTS = 500;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final PulseStore pulses = new PulseStore(system.database());

    private List<String> found(List<String> wanted) {
        system.meter().reset();
        return pulses.findAll(wanted).stream().map(row -> row.pulse().agentId()).toList();
    }

    private List<String> operations() {
        return system.meter().operations().stream().distinct().toList();
    }

    @Test
    void many_rows_are_read_in_sequence_where_they_are_a_quarter_of_those_of_a_sample() {
        SeededFleet fleet = new SeededFleet(system);
        IntStream.range(0, AGENTS).forEach(i -> fleet.add("seeded-" + i, "", List.of(), 2));
        fleet.write();
        List<String> all = Stream.iterate(
                        pulses.inSequence("", 120),
                        page -> !page.rows().isEmpty(),
                        page -> page.readUpTo().isEmpty()
                                ? new PulseStore.Sequence(List.of(), 0, "")
                                : pulses.inSequence(page.readUpTo(), 120))
                .flatMap(page -> page.rows().stream())
                .map(row -> row.pulse().agentId())
                .toList();
        assertThat(all).hasSize(AGENTS).doesNotHaveDuplicates();
        List<String> later = all.subList(PulseStore.SAMPLE, AGENTS);
        int quarter = PulseStore.SAMPLE / PulseStore.MAX_ROWS_PER_MATCH;
        int enough = 2 * PulseStore.SAMPLE;

        List<String> common = joined(all.subList(0, quarter), later.subList(0, enough - quarter));
        assertThat(found(common)).containsExactlyInAnyOrderElementsOf(common);
        assertThat(operations()).containsExactly("Scan");
        List<String> rare = joined(all.subList(0, quarter - 1), later.subList(0, enough - quarter + 1));
        assertThat(found(rare)).containsExactlyInAnyOrderElementsOf(rare);
        assertThat(operations()).containsExactlyInAnyOrder("Scan", "BatchGetItem");
        List<String> few = all.subList(0, enough - 1);
        assertThat(found(few)).containsExactlyInAnyOrderElementsOf(few);
        assertThat(operations()).as("no sample for a few").containsExactly("BatchGetItem");
        assertThat(found(joined(common, List.of("unknown")))).hasSize(common.size());
    }

    private static List<String> joined(List<String> some, List<String> others) {
        List<String> joined = new ArrayList<>(some);
        joined.addAll(others);
        return joined;
    }

    @Test
    void a_heartbeat_of_the_registry_is_counted_on_the_row_that_was_read() {
        TestAgent agent = TestAgent.registered(system, "a");
        Pulse seen = agent.pulse();
        Instant now = system.clock().instant();

        assertThat(pulses.recordHeartbeatOfRegistry(seen, SeenBy.PROBE, now)).isTrue();
        assertThat(pulses.recordHeartbeatOfRegistry(seen, SeenBy.PROBE, now)).isFalse();
        assertThat(agent.pulse().heartbeatCount()).isEqualTo(seen.heartbeatCount() + 1);
    }

    @Test
    void progress_is_stored_on_the_row_that_was_read() {
        TestAgent agent = TestAgent.registered(system, "a");
        Pulse seen = agent.pulse();
        Instant ended = system.clock().instant();

        assertThat(pulses.recordProgress(seen, ended)).isTrue();
        assertThat(pulses.recordProgress(seen, ended.plusSeconds(1))).isFalse();
    }

    @Test
    void a_heartbeat_of_an_unknown_agent_finds_no_row() {
        assertThat(pulses.recordHeartbeat(
                        "unknown",
                        KeyHash.ofKey(TestSystem.AGENT_KEY),
                        Heartbeat.ofRegistry(SeenBy.HEARTBEAT),
                        system.clock().instant()))
                .isInstanceOf(HeartbeatResult.NoPulse.class);
        assertThat(pulses.find("unknown")).isEmpty();
    }
}
