package dev.agenthealth.functions.measurement;

import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.MarkStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Computes the health of all agents that are due. What it costs follows what happened, and not how many agents there are. Two passes at
 * once do no harm.
 */
final class MeasurementPass {

    /** So many agents of a shard are taken at a time. */
    private static final int PORTION = 1_000;

    private final MarkStore marks;
    private final HealthComputation computation;
    private final Executor executor;
    private final Log log;
    private final Clock clock;

    MeasurementPass(MarkStore marks, HealthComputation computation, Executor executor, Log log, Clock clock) {
        this.marks = marks;
        this.computation = computation;
        this.executor = executor;
        this.log = log;
        this.clock = clock;
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
    }

    /**
     * Runs a pass.
     *
     * @param timeLeft whether there is time to begin with one more agent
     */
    Outcome run(BooleanSupplier timeLeft) {
        Tally tally = new Tally();
        Set<String> seen = new HashSet<>();
        while (true) {
            List<String> due = due();
            // The index is a moment behind: an agent that was just computed may still stand in it.
            due.removeAll(seen);
            if (due.isEmpty()) {
                return tally.outcome();
            }
            seen.addAll(due);
            await(due.stream().map(agentId -> begin(agentId, timeLeft, tally)).toList());
        }
    }

    private List<String> due() {
        List<CompletableFuture<List<String>>> shards = IntStream.range(0, MarkStore.SHARDS)
                .mapToObj(shard ->
                        CompletableFuture.supplyAsync(() -> marks.due(shard, clock.instant(), PORTION), executor))
                .toList();
        List<String> due = new ArrayList<>();
        shards.forEach(shard -> due.addAll(await(shard)));
        return due;
    }

    private CompletableFuture<Void> begin(String agentId, BooleanSupplier timeLeft, Tally tally) {
        return CompletableFuture.runAsync(
                () -> {
                    if (!timeLeft.getAsBoolean()) {
                        tally.postponed();
                        return;
                    }
                    try {
                        tally.count(computation.compute(agentId));
                    } catch (RuntimeException e) {
                        // One agent's trouble must not keep the others waiting; it is still due in the next pass.
                        log.failure("measurement_of_agent_failed", agentId, e);
                        tally.failed();
                    }
                },
                executor);
    }

    private static void await(List<CompletableFuture<Void>> work) {
        work.forEach(MeasurementPass::await);
    }

    private static <T> T await(CompletableFuture<T> work) {
        try {
            return work.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
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
