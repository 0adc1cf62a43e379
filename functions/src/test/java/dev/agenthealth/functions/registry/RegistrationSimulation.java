package dev.agenthealth.functions.registry;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Agents send their registration at once and repeat it as the clients do: full jitter over a second that doubles with each failure up to 30 seconds, after
 * the second of {@code Retry-After} where the registry answers, with the limits of the API and of DynamoDB. A refused transaction is charged nevertheless.
 */
public final class RegistrationSimulation {

    /** Write units a second of one partition key, before DynamoDB splits it. */
    static final int PARTITION_UNITS = 1_000;

    private static final long FIRST_RETRY_MILLIS = 1_000;
    private static final long MAX_RETRY_MILLIS = 30_000;
    private static final int TICK_MILLIS = 10;
    private static final int TICKS = 7_200_000 / TICK_MILLIS;

    private final List<PartitionLoad> loads;
    private final int apiPerSecond;
    private final int tableUnits;
    private final Random random = new Random(1);
    private final Map<String, Integer> shared;
    private final Map<String, Integer> used = new HashMap<>();

    /** @param loads the write units of real registrations, one of which stands for each agent */
    public RegistrationSimulation(List<PartitionLoad> loads, int apiPerSecond, int tableUnits) {
        this.loads = loads;
        this.apiPerSecond = apiPerSecond;
        this.tableUnits = tableUnits;
        this.shared = shared(loads);
    }

    /** The partitions that more than one agent writes, with the units that one of them writes there. */
    static Map<String, Integer> shared(List<PartitionLoad> loads) {
        Map<String, Integer> writers = new HashMap<>();
        Map<String, Integer> units = new HashMap<>();
        loads.forEach(load -> load.units().forEach((partition, number) -> {
            writers.merge(partition, 1, Integer::sum);
            units.put(partition, number);
        }));
        units.keySet().removeIf(partition -> writers.get(partition) == 1);
        return units;
    }

    /** Returns when each agent is registered, in milliseconds; {@link Long#MAX_VALUE} where it is not within two hours. */
    public long[] run(int agents) {
        long[] registeredAt = new long[agents];
        Arrays.fill(registeredAt, Long.MAX_VALUE);
        int[] attempts = new int[agents];
        // Far smaller than a queue in order of time: a million agents make some thirty million attempts.
        Map<Integer, Deque<Integer>> agenda = new HashMap<>();
        Deque<Integer> first = new ArrayDeque<>();
        for (int agent = 0; agent < agents; agent++) {
            first.add(agent);
        }
        agenda.put(0, first);
        for (int tick = 0; tick < TICKS && !agenda.isEmpty(); tick++) {
            if (tick * TICK_MILLIS % 1_000 == 0) {
                used.clear();
            }
            Deque<Integer> due = agenda.getOrDefault(tick, new ArrayDeque<>());
            while (!due.isEmpty()) {
                int agent = due.remove();
                long refusedFor = refusedFor(agent);
                if (refusedFor < 0) {
                    registeredAt[agent] = (long) tick * TICK_MILLIS;
                } else {
                    double longest = Math.min(MAX_RETRY_MILLIS, FIRST_RETRY_MILLIS * Math.pow(2, attempts[agent]++));
                    long wait = refusedFor + (long) (random.nextDouble() * longest);
                    agenda.computeIfAbsent(tick + 1 + (int) (wait / TICK_MILLIS), at -> new ArrayDeque<>())
                            .add(agent);
                }
            }
            agenda.remove(tick);
        }
        return registeredAt;
    }

    /** Milliseconds of Retry-After; -1 where the agent is registered. */
    private long refusedFor(int agent) {
        if (used.merge("API", 1, Integer::sum) > apiPerSecond) {
            return 0;
        }
        boolean full = false;
        for (Map.Entry<String, Integer> part :
                loads.get(agent % loads.size()).units().entrySet()) {
            if (shared.containsKey(part.getKey())) {
                full |= used.merge(part.getKey(), part.getValue(), Integer::sum) > PARTITION_UNITS;
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
