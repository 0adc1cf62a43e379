package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * A fleet that is too large for one invocation. Other invocations read one shard each: first to count, and again to act if rows are due.
 * This process decides once, in between. Not thread-safe.
 */
final class FanOutFleet implements Fleet {

    private final List<SegmentRange> shards;
    private final UnaryOperator<Map<String, Object>> invocation;
    private final Executor executor;

    private Inspection inspection = Inspection.NOTHING;
    private List<FleetReading> readings = List.of();

    /**
     * @param invocation sends a message to an invocation and returns its answer
     * @param executor the threads that wait for answers
     */
    FanOutFleet(List<SegmentRange> shards, UnaryOperator<Map<String, Object>> invocation, Executor executor) {
        this.shards = List.copyOf(shards);
        this.invocation = invocation;
        this.executor = executor;
    }

    @Override
    public FleetReading read(Inspection by) {
        inspection = by;
        List<CompletableFuture<FleetReading>> running = shards.stream()
                .map(shard -> new ShardMessages.Request(false, shard, by, SweepDecision.HOUSEKEEPING_ONLY))
                .map(request -> CompletableFuture.supplyAsync(() -> ShardMessages.reading(answer(request)), executor))
                .toList();
        readings = running.stream().map(Waiting::on).toList();
        return readings.stream().reduce(FleetReading.EMPTY, FleetReading::plus);
    }

    @Override
    public ActionCounts act(SweepDecision decision) {
        List<CompletableFuture<ActionCounts>> running = new ArrayList<>();
        DeathQuota.Remaining deaths = new DeathQuota.Remaining(decision.deaths());
        for (int i = 0; i < shards.size(); i++) {
            if (readings.get(i).due() > 0) {
                // Each shard gets as much quota as it needs. The sum of the quotas never exceeds the limit.
                SweepDecision share = new SweepDecision(
                        decision.mayChangeStatus(),
                        deaths.take(readings.get(i).owners()),
                        decision.postponed(),
                        decision.correctsTimes(),
                        decision.tick());
                ShardMessages.Request request =
                        new ShardMessages.Request(true, shards.get(i), inspection.ofDueRows(), share);
                running.add(CompletableFuture.supplyAsync(() -> ActionCounts.ofNames(answer(request)), executor));
            }
        }
        return running.stream().map(Waiting::on).reduce(ActionCounts.NONE, ActionCounts::plus);
    }

    private Map<String, Object> answer(ShardMessages.Request request) {
        return invocation.apply(ShardMessages.of(request));
    }
}
