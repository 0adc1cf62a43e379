package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.leases.LeaseCleanUp;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.threads.Waiting;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.statistics.FleetStatistics;
import dev.agenthealth.model.statistics.VerdictRule;
import dev.agenthealth.model.sweep.FleetCount;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Segments of the fleet, read and acted on in this process by several threads. Not thread-safe itself. */
final class FleetSegments implements Fleet {

    /** An older canary row was left behind by a self-check that did not finish. */
    private static final Duration OLD_CANARY = Duration.ofMinutes(5);

    /** Segments that are read at the same time. Each keeps a decoded page of 4 MB: with sixteen, garbage collection took half of the time. */
    private static final int READERS = 4;

    private final FleetScan scan;
    private final Stores stores;
    private final LeaseCleanUp leaseCleanUp;
    private final CanaryStore canaries;
    private final KeyStore keys;
    private final Executor executor;
    private final BooleanSupplier timeLeft;
    private final Log log;
    private final SegmentRange range;

    private DueRows rule =
            new DueRows(new Inspection(Instant.MAX, Instant.MIN, Inspection.NO_MARKS, Set.of(), false), Map.of());
    private List<Pulse> due = List.of();
    private List<String> oldCanaries = List.of();

    /**
     * @param from the first segment
     * @param to after the last segment
     * @param total of all segments
     */
    record SegmentRange(int from, int to, int total) {}

    /**
     * @param timeLeft whether there is time to begin one more row
     */
    FleetSegments(Stores stores, Executor executor, BooleanSupplier timeLeft, Log log, SegmentRange range) {
        this.scan = stores.fleet();
        this.stores = stores;
        this.leaseCleanUp = new LeaseCleanUp(stores.leases());
        this.canaries = stores.canaries();
        this.keys = stores.keys();
        this.executor = executor;
        this.timeLeft = timeLeft;
        this.log = log;
        this.range = range;
    }

    /** What one segment holds. */
    private record Segment(FleetReading reading, List<Pulse> due, List<String> oldCanaries) {}

    @Override
    public FleetReading read(Inspection inspection) {
        rule = new DueRows(inspection, keys.endedCredentials());
        Optional<VerdictRule> verdicts =
                inspection.statistics() ? Optional.of(verdicts(inspection.now())) : Optional.empty();
        AtomicInteger next = new AtomicInteger(range.from());
        List<CompletableFuture<List<Segment>>> readers = IntStream.range(0, READERS)
                .mapToObj(i ->
                        CompletableFuture.supplyAsync(() -> segments(next, inspection.pools(), verdicts), executor))
                .toList();
        FleetReading reading = FleetReading.EMPTY;
        due = new ArrayList<>();
        oldCanaries = new ArrayList<>();
        for (CompletableFuture<List<Segment>> reader : readers) {
            for (Segment read : Waiting.on(reader)) {
                reading = reading.plus(read.reading());
                due.addAll(read.due());
                oldCanaries.addAll(read.oldCanaries());
            }
        }
        return reading;
    }

    /** Reads segments until none is left. */
    private List<Segment> segments(AtomicInteger next, Set<Long> pools, Optional<VerdictRule> verdicts) {
        List<Segment> segments = new ArrayList<>();
        for (int number = next.getAndIncrement(); number < range.to(); number = next.getAndIncrement()) {
            segments.add(segment(number, pools, verdicts));
        }
        return segments;
    }

    private VerdictRule verdicts(Instant now) {
        BlockStore.InForce blocks = stores.blocks().inForce();
        Set<Long> providers = blocks.providers().stream().map(GroupNumber::of).collect(Collectors.toSet());
        return new VerdictRule(blocks.agents(), providers, keys.granted(blocks.providers()), now);
    }

    private Segment segment(int number, Set<Long> pools, Optional<VerdictRule> verdicts) {
        FleetCount.Tally count = new FleetCount.Tally(rule.graceFrom(), rule.now());
        PoolCount.Tally poolTally = new PoolCount.Tally(pools);
        Optional<FleetStatistics.Tally> statisticsTally = verdicts.map(FleetStatistics.Tally::new);
        OwnerCounts.Tally ownerTally = new OwnerCounts.Tally();
        List<Pulse> dueHere = new ArrayList<>();
        List<String> canariesHere = new ArrayList<>();
        scan.segment(
                number,
                range.total(),
                row -> {
                    Pulse pulse = row.pulse();
                    count.add(pulse);
                    poolTally.add(pulse);
                    statisticsTally.ifPresent(tally -> tally.add(row));
                    ownerTally.add(pulse, rule.graceFrom(), rule.now());
                    if (rule.isDue(pulse)) {
                        dueHere.add(pulse);
                    }
                },
                (canaryId, placedAt) -> {
                    if (placedAt.plus(OLD_CANARY).isBefore(rule.now())) {
                        canariesHere.add(canaryId);
                    }
                });
        FleetReading reading = new FleetReading(
                count.count(),
                dueHere.size() + canariesHere.size(),
                poolTally.count(),
                statisticsTally.map(FleetStatistics.Tally::statistics).orElse(FleetStatistics.EMPTY),
                ownerTally.counts());
        return new Segment(reading, dueHere, canariesHere);
    }

    @Override
    public ActionCounts act(SweepDecision decision) {
        ActionCounts.Tally tally = new ActionCounts.Tally();
        RowReconciler keeper = new RowReconciler(stores, leaseCleanUp, rule, decision, tally);
        List<CompletableFuture<Void>> rows = new ArrayList<>();
        for (Pulse pulse : due) {
            rows.add(CompletableFuture.runAsync(() -> keep(keeper, pulse, tally), executor));
        }
        for (String canaryId : oldCanaries) {
            rows.add(CompletableFuture.runAsync(
                    () -> attempt(canaryId, () -> canaries.remove(canaryId), tally), executor));
        }
        rows.forEach(Waiting::on);
        return tally.sum();
    }

    private void keep(RowReconciler keeper, Pulse pulse, ActionCounts.Tally tally) {
        boolean marks = rule.isUnmarked(pulse);
        if (marks && !(timeLeft.getAsBoolean() && done(pulse.agentId(), () -> keeper.mark(pulse), tally))) {
            tally.add(Action.UNMARKED);
        }
        if (rule.mayChange(pulse)) {
            attempt(pulse.agentId(), () -> keeper.keep(pulse), tally);
        }
    }

    private void attempt(String id, Runnable action, ActionCounts.Tally tally) {
        if (timeLeft.getAsBoolean()) {
            done(id, action, tally);
        } else {
            tally.add(Action.POSTPONED);
        }
    }

    private boolean done(String id, Runnable action, ActionCounts.Tally tally) {
        try {
            action.run();
            return true;
        } catch (RuntimeException e) {
            // The other rows go on; this one is still due in the next pass.
            log.failure("sweep_of_agent_failed", id, e);
            tally.add(Action.FAILED);
            return false;
        }
    }
}
