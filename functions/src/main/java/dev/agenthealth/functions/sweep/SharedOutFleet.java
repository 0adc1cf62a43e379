package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.FleetCounter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A fleet that is too large for one run: every worker reads some segments, first to count and, where something is due, once more to
 * act. The decision in between is made once, here. Not thread-safe.
 */
final class SharedOutFleet implements Fleet {

    private final List<Worker> workers;
    private final Executor executor;

    private Inspection inspection = new Inspection(Instant.MAX, Instant.MIN, Inspection.NOBODY, Set.of());
    private List<FleetReading> readings = List.of();

    /** Somebody who works on some segments. */
    interface Worker {

        FleetReading read(Inspection inspection);

        ActionCounts act(Inspection inspection, SweepDecision orders);
    }

    SharedOutFleet(List<Worker> workers, Executor executor) {
        this.workers = List.copyOf(workers);
        this.executor = executor;
    }

    @Override
    public FleetReading read(Inspection asked) {
        inspection = asked;
        List<CompletableFuture<FleetReading>> running = workers.stream()
                .map(w -> CompletableFuture.supplyAsync(() -> w.read(asked), executor))
                .toList();
        readings = running.stream().map(Waiting::on).toList();
        return readings.stream().reduce(FleetReading.EMPTY, FleetReading::plus);
    }

    @Override
    public ActionCounts act(SweepDecision orders) {
        List<Long> deaths = shares(orders.deaths());
        List<CompletableFuture<ActionCounts>> running = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            if (readings.get(i).due() == 0) {
                continue;
            }
            Worker worker = workers.get(i);
            SweepDecision own = new SweepDecision(orders.mayChangeStatus(), deaths.get(i));
            running.add(CompletableFuture.supplyAsync(() -> worker.act(inspection, own), executor));
        }
        return running.stream().map(Waiting::on).reduce(ActionCounts.NONE, ActionCounts::plus);
    }

    /** Shares out deaths as they are needed, so that the sum is never more than allowed. */
    private List<Long> shares(long allowed) {
        List<Long> shares = new ArrayList<>();
        long left = allowed;
        for (FleetReading reading : readings) {
            FleetCount count = reading.count();
            long share = allowed == SweepDecision.UNLIMITED ? allowed : Math.min(left, count.get(FleetCounter.DYING));
            shares.add(share);
            left = allowed == SweepDecision.UNLIMITED ? left : left - share;
        }
        return shares;
    }
}
