package dev.agenthealth.functions.measurement;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.health.DueAgents;
import dev.agenthealth.functions.storage.health.DueStore;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.window.Slice;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
 * Computes the health of all agents that are due. What it costs follows what happened, and not how many agents there are. Two passes at
 * once do no harm.
 */
final class MeasurementPass {

    private static final int THREADS = 16;

    /**
     * In this minute of every half hour all shards are asked that there may be: a little after much is due, and before those whose marks stand
     * elsewhere are taken for overdue.
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
     * @param executor has threads for computing
     * @param calls has a thread for every worker that is waited for: all of them work at the same time, and keep no thread from computing
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

    /** The pass of a deployed function, with threads of its own. */
    static MeasurementPass of(Wiring wiring, Log log) {
        Stores stores = Stores.of(wiring);
        RegistryWatch registry = new RegistryWatch(stores.sweepState(), stores.outcomes(), wiring.clock());
        return new MeasurementPass(
                stores.due(),
                new HealthComputation(stores, registry, wiring.clock()),
                wiring.storageMeter()
                        .carrying(Executors.newFixedThreadPool(THREADS, DaemonThreads.named("measurement"))),
                Executors.newCachedThreadPool(DaemonThreads.named("measurement-worker")),
                log,
                wiring.clock());
    }

    /**
     * What a pass did.
     *
     * @param results how many computations had which result
     * @param failed computations that failed; their agents stay due
     * @param postponed agents that were due but not begun with, as far as they were read
     */
    record Outcome(Map<HealthComputation.Result, Long> results, long failed, long postponed) {

        long of(HealthComputation.Result result) {
            return results.getOrDefault(result, 0L);
        }

        /** How many agents' health was computed. */
        long computations() {
            return results.values().stream().mapToLong(Long::longValue).sum();
        }

        Outcome plus(Outcome other) {
            Map<HealthComputation.Result, Long> sum = new EnumMap<>(HealthComputation.Result.class);
            sum.putAll(results);
            other.results.forEach((result, number) -> sum.merge(result, number, Long::sum));
            return new Outcome(Map.copyOf(sum), failed + other.failed, postponed + other.postponed);
        }

        /** The numbers by name, as they are logged and sent between functions. */
        Map<String, Object> byName() {
            Map<String, Object> numbers = new LinkedHashMap<>();
            for (HealthComputation.Result result : HealthComputation.Result.values()) {
                numbers.put(result.name().toLowerCase(Locale.ROOT), of(result));
            }
            numbers.put("failed", failed);
            numbers.put("postponed", postponed);
            return numbers;
        }

        /** The outcome that these numbers tell; what is missing is 0. */
        static Outcome ofNames(Map<String, Object> numbers) {
            Map<HealthComputation.Result, Long> results = new EnumMap<>(HealthComputation.Result.class);
            for (HealthComputation.Result result : HealthComputation.Result.values()) {
                results.put(result, number(numbers, result.name().toLowerCase(Locale.ROOT)));
            }
            return new Outcome(results, number(numbers, "failed"), number(numbers, "postponed"));
        }

        private static long number(Map<String, Object> numbers, String name) {
            return numbers.get(name) instanceof Number number ? number.longValue() : 0;
        }
    }

    /**
     * Runs a pass over some shards.
     *
     * @param portion so many agents of a shard are taken at a time
     * @param timeLeft whether there is time to begin with one more agent
     */
    Outcome run(Set<Integer> shards, int portion, BooleanSupplier timeLeft) {
        return run(due(shards, portion), portion, timeLeft);
    }

    /**
     * Runs a pass over all shards that marks are put into, and twice an hour over all that there may be. A shard with a whole portion due, and
     * maybe more, goes to a worker.
     *
     * @param portion so many agents of a shard are taken at a time
     * @param timeLeft whether there is time to begin with one more agent
     */
    Outcome run(int portion, BooleanSupplier timeLeft, IntFunction<Outcome> portions) {
        Map<Integer, DueAgents> due = due(IntStream.range(0, shards()).boxed().collect(Collectors.toSet()), portion);
        List<CompletableFuture<Outcome>> shared = new ArrayList<>();
        for (int shard : Set.copyOf(due.keySet())) {
            if (due.get(shard).isCut()) {
                due.remove(shard);
                shared.add(CompletableFuture.supplyAsync(() -> portions.apply(shard), calls));
            }
        }
        Outcome own = run(due, portion, timeLeft);
        return shared.stream().map(Waiting::on).reduce(own, Outcome::plus);
    }

    /** How many shards there usually are. */
    int usualShards() {
        return dueAgents.shards();
    }

    private int shards() {
        return clock.instant().atOffset(ZoneOffset.UTC).getMinute() % MINUTES_OF_HALF_AN_HOUR == MINUTE_OF_ALL_SHARDS
                ? dueAgents.allShards()
                : dueAgents.shards();
    }

    /** Primes the first request of a pass. */
    Priming.Part rehearsedRead() {
        return new Priming.Part("read", () -> dueAgents.due(0, clock.instant(), 1));
    }

    private Outcome run(Map<Integer, DueAgents> first, int portion, BooleanSupplier timeLeft) {
        Tally tally = new Tally();
        Set<String> seen = new HashSet<>();
        Map<Integer, DueAgents> due = first;
        int limit = portion;
        while (true) {
            // The index is a moment behind: an agent that was just computed may still stand in it.
            List<Map.Entry<String, Set<Slice>>> agents = due.values().stream()
                    .flatMap(shard -> shard.changedSlices().entrySet().stream())
                    .filter(agent -> seen.add(agent.getKey()))
                    .toList();
            if (agents.isEmpty()) {
                if (!(isCut(due) && timeLeft.getAsBoolean())) {
                    return tally.outcome();
                }
                // Nor may those hide others behind them that could not be computed and stay due.
                limit += portion;
            }
            List<CompletableFuture<Void>> begun = agents.stream()
                    .map(agent -> begin(agent.getKey(), agent.getValue(), timeLeft, tally))
                    .toList();
            begun.forEach(Waiting::on);
            due = due(first.keySet(), limit);
        }
    }

    /** Whether there may be agents due beyond those read. */
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

    private CompletableFuture<Void> begin(String agentId, Set<Slice> changed, BooleanSupplier timeLeft, Tally tally) {
        return CompletableFuture.runAsync(
                () -> {
                    if (!timeLeft.getAsBoolean()) {
                        tally.postponed();
                        return;
                    }
                    try {
                        tally.count(computation.compute(agentId, changed));
                    } catch (RuntimeException e) {
                        // One agent's trouble must not keep the others waiting; it is still due in the next pass.
                        log.failure("measurement_of_agent_failed", agentId, e);
                        tally.failed();
                    }
                },
                executor);
    }

    /** Counts what threads did. Thread-safe. */
    private static final class Tally {

        private final Map<HealthComputation.Result, Long> results = new EnumMap<>(HealthComputation.Result.class);
        private long failed;
        private long postponed;

        synchronized void count(HealthComputation.Result result) {
            results.merge(result, 1L, Long::sum);
        }

        synchronized void failed() {
            failed++;
        }

        synchronized void postponed() {
            postponed++;
        }

        synchronized Outcome outcome() {
            return new Outcome(Map.copyOf(results), failed, postponed);
        }
    }
}
