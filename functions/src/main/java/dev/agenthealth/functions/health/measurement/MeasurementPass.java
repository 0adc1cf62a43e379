package dev.agenthealth.functions.health.measurement;

import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.storage.health.DueStore.DueAgents;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Computes the health of all due agents. The cost depends on the number of changes, not on the number of agents. Two passes may run at the
 * same time.
 */
final class MeasurementPass {

    private static final int THREADS = 16;

    /**
     * The minute of every half hour in which a pass reads all possible shards. It comes shortly after many agents become due, and before
     * agents with marks in unused shards count as overdue.
     */
    private static final int MINUTE_OF_ALL_SHARDS = 3;

    private static final int MINUTES_OF_HALF_AN_HOUR = 30;

    private final DueStore dueAgents;
    private final HealthComputation computation;
    private final Executor executor;
    private final Executor calls;
    private final Log log;
    private final Clock clock;

    /**
     * @param executor the threads that compute
     * @param calls has a thread for every worker, so that all workers run at the same time and no computing thread waits
     */
    MeasurementPass(
            DueStore dueAgents,
            HealthComputation computation,
            Executor executor,
            Executor calls,
            Log log,
            Clock clock) {
        this.dueAgents = dueAgents;
        this.computation = computation;
        this.executor = executor;
        this.calls = calls;
        this.log = log;
        this.clock = clock;
    }

    /** Creates the pass of a deployed function, with its own threads. */
    static MeasurementPass of(Wiring wiring, Database database, RegistryMonitor registry, Log log) {
        return new MeasurementPass(
                new DueStore(database),
                new HealthComputation(database, registry, wiring.clock()),
                wiring.storageMeter().propagating(DaemonThreads.pool(THREADS, "measurement")),
                Executors.newCachedThreadPool(DaemonThreads.named("measurement-shard")),
                log,
                wiring.clock());
    }

    /**
     * Runs a pass over some shards.
     *
     * @param batch the number of agents of a shard that are read at a time
     * @param timeLeft whether there is time for one more agent
     */
    Counts<MeasurementResult> run(Set<Integer> shards, int batch, BooleanSupplier timeLeft) {
        return run(due(shards, batch), batch, timeLeft, false);
    }

    /**
     * Runs a pass over all shards in use, and twice an hour over all possible shards. If a whole batch of a shard is due, a worker handles
     * the shard.
     *
     * @param batch the number of agents of a shard that are read at a time
     * @param timeLeft whether there is time for one more agent
     * @param workers runs a worker for a shard and returns its counts
     */
    Counts<MeasurementResult> run(int batch, BooleanSupplier timeLeft, IntFunction<Counts<MeasurementResult>> workers) {
        Map<Integer, DueAgents> due = due(IntStream.range(0, shards()).boxed().collect(Collectors.toSet()), batch);
        List<CompletableFuture<Counts<MeasurementResult>>> shared = new ArrayList<>();
        for (int shard : Set.copyOf(due.keySet())) {
            if (due.get(shard).isCut()) {
                due.remove(shard);
                shared.add(CompletableFuture.supplyAsync(() -> workers.apply(shard), calls));
            }
        }
        Counts<MeasurementResult> own = run(due, batch, timeLeft, isOfAllShards());
        return shared.stream().map(Waiting::on).reduce(own, Counts::plus);
    }

    /** Returns the usual number of shards. */
    int usualShards() {
        return dueAgents.shards();
    }

    private int shards() {
        return isOfAllShards() ? dueAgents.allShards() : dueAgents.shards();
    }

    private boolean isOfAllShards() {
        return clock.instant().atOffset(ZoneOffset.UTC).getMinute() % MINUTES_OF_HALF_AN_HOUR == MINUTE_OF_ALL_SHARDS;
    }

    /** @param allVersions whether the versions of all roles with an open problem are compared */
    private Counts<MeasurementResult> run(
            Map<Integer, DueAgents> first, int batch, BooleanSupplier timeLeft, boolean allVersions) {
        computation.beginPass();
        Map<MeasurementResult, Long> results = new EnumMap<>(MeasurementResult.class);
        Set<String> seen = new HashSet<>();
        Map<Integer, DueAgents> due = first;
        int limit = batch;
        while (true) {
            // The index is eventually consistent and may still contain an agent that was just computed.
            List<Map.Entry<String, Set<Slice>>> agents = due.values().stream()
                    .flatMap(shard -> shard.changedSlices().entrySet().stream())
                    .filter(agent -> seen.add(agent.getKey()))
                    .toList();
            if (agents.isEmpty()) {
                if (!(isCut(due) && timeLeft.getAsBoolean())) {
                    compareVersions(allVersions, timeLeft, results);
                    return new Counts<>(results);
                }
                // Agents that stay due must not hide the agents after them.
                limit += batch;
            }
            List<CompletableFuture<MeasurementResult>> begun = agents.stream()
                    .map(agent -> begin(agent.getKey(), agent.getValue(), timeLeft))
                    .toList();
            begun.forEach(one -> results.merge(Waiting.on(one), 1L, Long::sum));
            due = due(first.keySet(), limit);
        }
    }

    private void compareVersions(boolean all, BooleanSupplier timeLeft, Map<MeasurementResult, Long> results) {
        try {
            computation.compareVersions(all, timeLeft);
        } catch (RuntimeException e) {
            // The next pass repeats the comparison.
            log.failure("versions_not_compared", "", e);
            results.merge(MeasurementResult.FAILED, 1L, Long::sum);
        }
    }

    /** Returns whether more agents may be due than were read. */
    private static boolean isCut(Map<Integer, DueAgents> due) {
        return due.values().stream().anyMatch(DueAgents::isCut);
    }

    private Map<Integer, DueAgents> due(Set<Integer> shards, int limit) {
        Map<Integer, CompletableFuture<DueAgents>> reads = new HashMap<>();
        for (int shard : shards) {
            reads.put(
                    shard, CompletableFuture.supplyAsync(() -> dueAgents.due(shard, clock.instant(), limit), executor));
        }
        Map<Integer, DueAgents> due = new HashMap<>();
        reads.forEach((shard, read) -> due.put(shard, Waiting.on(read)));
        return due;
    }

    private CompletableFuture<MeasurementResult> begin(String agentId, Set<Slice> changed, BooleanSupplier timeLeft) {
        return CompletableFuture.supplyAsync(
                () -> timeLeft.getAsBoolean() ? compute(agentId, changed) : MeasurementResult.POSTPONED, executor);
    }

    private MeasurementResult compute(String agentId, Set<Slice> changed) {
        try {
            return computation.compute(agentId, changed);
        } catch (RuntimeException e) {
            // A failure does not stop the other agents. The next pass retries this agent.
            log.failure("measurement_of_agent_failed", agentId, e);
            return MeasurementResult.FAILED;
        }
    }
}
