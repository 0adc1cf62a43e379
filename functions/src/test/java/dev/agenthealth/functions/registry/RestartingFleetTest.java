package dev.agenthealth.functions.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agenthealth.functions.testing.TestAgent;
import dev.agenthealth.functions.testing.TestApi;
import dev.agenthealth.functions.testing.TestSystem;
import dev.agenthealth.testkit.HookedDynamoDb;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Registrations of a fleet with one key, one capability and one role: the write units of real registrations by partition, and a simulation of
 * 10,000 agents that all begin at the same moment, with DynamoDB's limits.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("SYS-02")
class RestartingFleetTest {

    private static final int PROBES = 64;
    private static final int FLEET = 10_000;

    /** Write units a second of one partition key, before DynamoDB splits it. */
    private static final int PARTITION = 1_000;

    private final List<PartitionLoad> loads = new ArrayList<>();

    @AutoClose
    private TestSystem system;

    private TestApi api;

    @BeforeAll
    void open() {
        system = new TestSystem();
        api = system.apiThrough(new HookedDynamoDb(system.dynamoDb(), request -> {
            if (request instanceof TransactWriteItemsRequest transaction) {
                loads.add(PartitionLoad.of(transaction));
            }
        }));
    }

    @Test
    void a_first_registration_writes_two_units_to_each_partition_that_the_fleet_shares() {
        Map<String, Integer> shared = shared(first("count"));
        assertThat(shared).containsEntry("C#test", 2).containsEntry("R#worker", 2);
        assertThat(shared.keySet().stream().filter(key -> key.startsWith("O#"))).hasSize(1);
        shared.forEach((partition, units) -> {
            double perSecond = PARTITION / (double) units * shards(partition);
            assertThat(perSecond).as("registrations a second by %s", partition).isGreaterThanOrEqualTo(500);
        });
    }

    @Test
    void a_restart_writes_no_tag_and_no_entry_of_the_owner() {
        List<PartitionLoad> restarts = restarts("again");
        assertThat(shared(restarts).keySet())
                .as("only the indexes and the audit log are shared, and they are sharded")
                .allMatch(partition -> shards(partition) > 1);
    }

    @ParameterizedTest(name = "API limit {0}/s, warm writes {1}, restart {2}")
    @CsvSource({
        // FleetSize=small, and large with warmed tables: the numbers of docs/operations/limits.md
        "200, 4000, false, 72",
        "200, 4000, true, 72",
        "1000, 40000, false, 44",
        "1000, 40000, true, 35",
    })
    void ten_thousand_agents_that_start_at_once_are_registered_within_the_time(
            int apiPerSecond, int tableUnits, boolean restart, int seconds) {
        String name = apiPerSecond + "-" + restart;
        Simulation simulation = new Simulation(restart ? restarts(name) : first(name), apiPerSecond, tableUnits);
        simulation.run();
        assertThat(simulation.registered).isEqualTo(FLEET);
        assertThat(simulation.lastAt).isLessThan(seconds * 1_000L);
    }

    private List<PartitionLoad> first(String name) {
        loads.clear();
        for (int i = 0; i < PROBES; i++) {
            assertThat(new TestAgent(system, name + "-" + i).register(api, "").status())
                    .isEqualTo(201);
        }
        return List.copyOf(loads);
    }

    private List<PartitionLoad> restarts(String name) {
        first(name);
        loads.clear();
        for (int i = 0; i < PROBES; i++) {
            assertThat(new TestAgent(system, name + "-" + i)
                            .register(api, ",\"replace\":true")
                            .status())
                    .isEqualTo(201);
        }
        return List.copyOf(loads);
    }

    /** The partitions that more than one agent writes, with the units that one of them writes there. */
    private static Map<String, Integer> shared(List<PartitionLoad> loads) {
        Map<String, Integer> writers = new HashMap<>();
        Map<String, Integer> units = new HashMap<>();
        loads.forEach(load -> load.units().forEach((partition, number) -> {
            writers.merge(partition, 1, Integer::sum);
            units.put(partition, number);
        }));
        units.keySet().removeIf(partition -> writers.get(partition) == 1);
        return units;
    }

    private static int shards(String partition) {
        return partition.startsWith("by-status ")
                ? 8
                : partition.startsWith("feed ") ? 4 : partition.startsWith("AUDIT#") ? 16 : 1;
    }

    /**
     * Agents send their registration at once and repeat it as the clients do: full jitter over a second that doubles with each failure up
     * to 30 seconds, after the second of {@code Retry-After} where the registry answers. A refused transaction is charged nevertheless.
     */
    private static final class Simulation {

        private static final long FIRST_RETRY = 1_000;
        private static final long MAX_RETRY = 30_000;

        private final List<PartitionLoad> loads;
        private final int apiPerSecond;
        private final int tableUnits;
        private final Random random = new Random(1);
        private final Map<String, Integer> shared;
        private final Map<String, Integer> used = new HashMap<>();
        private long second = -1;
        private int registered;
        private long lastAt;

        private Simulation(List<PartitionLoad> loads, int apiPerSecond, int tableUnits) {
            this.loads = loads;
            this.apiPerSecond = apiPerSecond;
            this.tableUnits = tableUnits;
            this.shared = shared(loads);
        }

        private record Attempt(long at, int agent, int number) {}

        private void run() {
            PriorityQueue<Attempt> attempts = new PriorityQueue<>(Comparator.comparingLong(Attempt::at));
            for (int agent = 0; agent < FLEET; agent++) {
                attempts.add(new Attempt(0, agent, 1));
            }
            while (!attempts.isEmpty() && attempts.peek().at() < 3_600_000) {
                Attempt attempt = attempts.poll();
                long refusedFor = refusedFor(attempt);
                if (refusedFor < 0) {
                    registered++;
                    lastAt = attempt.at();
                } else {
                    double longest = Math.min(MAX_RETRY, FIRST_RETRY * Math.pow(2, attempt.number() - 1));
                    long wait = refusedFor + (long) (random.nextDouble() * longest);
                    attempts.add(new Attempt(attempt.at() + wait, attempt.agent(), attempt.number() + 1));
                }
            }
        }

        /** Milliseconds of Retry-After; -1 where the agent is registered. */
        private long refusedFor(Attempt attempt) {
            if (attempt.at() / 1_000 != second) {
                second = attempt.at() / 1_000;
                used.clear();
            }
            if (used.merge("API", 1, Integer::sum) > apiPerSecond) {
                return 0;
            }
            PartitionLoad load = loads.get(attempt.agent() % loads.size());
            boolean full = false;
            for (Map.Entry<String, Integer> part : load.units().entrySet()) {
                if (shared.containsKey(part.getKey())) {
                    full |= used.merge(part.getKey(), part.getValue(), Integer::sum) > PARTITION;
                }
                full |= used.merge(table(part.getKey()), part.getValue(), Integer::sum) > tableUnits;
            }
            return full ? 1_000 : -1;
        }

        /** A table or an index, each with a throughput of its own. */
        private static String table(String partition) {
            if (partition.startsWith("row ")) {
                return "pulses";
            }
            return partition.startsWith("by-status ") || partition.startsWith("feed ")
                    ? partition.substring(0, partition.indexOf(' '))
                    : "registry";
        }
    }
}
