package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestSystem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Registrations of a fleet with one key, one capability and one role: the write units of real registrations by partition, and a simulation of
 * 10,000 agents that all begin at the same moment, with DynamoDB's limits.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class RestartingFleetTest {

    private static final int FLEET = 10_000;

    @AutoClose
    private final TestSystem system = new TestSystem();

    private final RegistrationLoads loads = new RegistrationLoads(system);

    @Test
    void a_first_registration_writes_two_units_to_each_partition_that_the_fleet_shares() {
        Map<String, Integer> shared = RegistrationSimulation.shared(loads.first("count"));
        assertThat(shared).containsEntry("C#test", 2).containsEntry("R#worker", 2);
        assertThat(shared.keySet().stream().filter(key -> key.startsWith("O#"))).hasSize(1);
        shared.forEach((partition, units) -> {
            double perSecond = RegistrationSimulation.PARTITION_UNITS / (double) units * shards(partition);
            assertThat(perSecond).as("registrations a second by %s", partition).isGreaterThanOrEqualTo(500);
        });
    }

    @Test
    void a_restart_writes_no_tag_and_no_entry_of_the_owner() {
        List<PartitionLoad> restarts = loads.restarts("again");
        assertThat(RegistrationSimulation.shared(restarts).keySet())
                .as("only the indexes and the audit log are shared, and they are sharded")
                .allMatch(partition -> shards(partition) > 1);
    }

    @ParameterizedTest(name = "API limit {0}/s, warm writes {1}, restart {2}")
    @CsvSource({
        // FleetSize=small, and large with warmed tables: the numbers of docs/operations/limits.md
        "400, 4000, false, 58",
        "400, 4000, true, 57",
        "1000, 40000, false, 44",
        "1000, 40000, true, 36",
    })
    @Tag("slow")
    void ten_thousand_agents_that_start_at_once_are_registered_within_the_time(
            int apiPerSecond, int tableUnits, boolean restart, int seconds) {
        String name = apiPerSecond + "-" + restart;
        List<PartitionLoad> units = restart ? loads.restarts(name) : loads.first(name);
        long[] registeredAt = new RegistrationSimulation(units, apiPerSecond, tableUnits).run(FLEET);
        assertThat(Arrays.stream(registeredAt).max().orElseThrow()).isLessThan(seconds * 1_000L);
    }

    private static int shards(String partition) {
        return partition.startsWith("by-status ")
                ? 8
                : partition.startsWith("feed ") ? 4 : partition.startsWith("AUDIT#") ? 16 : 1;
    }
}
