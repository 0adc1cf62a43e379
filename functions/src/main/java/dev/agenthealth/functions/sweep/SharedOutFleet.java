package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.functions.threads.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * A fleet that is too large for one invocation: other invocations read a portion each, first to count and, where something is due, once more
 * to act. The decision in between is made once, here. Not thread-safe.
 */
final class SharedOutFleet implements Fleet {

    private final List<SegmentRange> portions;
    private final UnaryOperator<Map<String, Object>> invocation;
    private final Executor executor;

    private Inspection inspection = new Inspection(Instant.MAX, Instant.MIN, Inspection.NO_MARKS, Set.of(), false);
    private List<FleetReading> readings = List.of();

    /**
     * @param invocation sends a message to an invocation and returns its answer
     * @param executor has threads that wait for answers
     */
    SharedOutFleet(List<SegmentRange> portions, UnaryOperator<Map<String, Object>> invocation, Executor executor) {
        this.portions = List.copyOf(portions);
        this.invocation = invocation;
        this.executor = executor;
    }

    @Override
    public FleetReading read(Inspection by) {
        inspection = by;
        List<CompletableFuture<FleetReading>> running = portions.stream()
                .map(portion -> new PortionMessages.Request(false, portion, by, SweepDecision.HOUSEKEEPING_ONLY))
                .map(request -> CompletableFuture.supplyAsync(() -> PortionMessages.reading(answer(request)), executor))
                .toList();
        readings = running.stream().map(Waiting::on).toList();
        return readings.stream().reduce(FleetReading.EMPTY, FleetReading::plus);
    }

    @Override
    public ActionCounts act(SweepDecision decision) {
        List<CompletableFuture<ActionCounts>> running = new ArrayList<>();
        Map<Long, Long> deathsLeft = new HashMap<>(decision.deaths().byOwner());
        for (int i = 0; i < portions.size(); i++) {
            // The shares follow the need of each portion, and their sum is at most what is allowed.
            DeathShares deaths = decision.deaths().unlimited()
                    ? DeathShares.UNLIMITED
                    : DeathShares.portion(deathsLeft, readings.get(i).owners());
            if (readings.get(i).due() > 0) {
                SweepDecision share = new SweepDecision(decision.mayChangeStatus(), deaths);
                PortionMessages.Request request =
                        new PortionMessages.Request(true, portions.get(i), inspection.ofDueRows(), share);
                running.add(CompletableFuture.supplyAsync(() -> ActionCounts.ofNames(answer(request)), executor));
            }
        }
        return running.stream().map(Waiting::on).reduce(ActionCounts.NONE, ActionCounts::plus);
    }

    private Map<String, Object> answer(PortionMessages.Request request) {
        return invocation.apply(PortionMessages.of(request));
    }
}
