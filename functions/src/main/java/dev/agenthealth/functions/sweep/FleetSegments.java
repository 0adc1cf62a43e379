package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.functions.registry.leases.LeaseCleanUp;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.Waiting;
import dev.agenthealth.functions.storage.containment.ContainmentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.keys.CredentialEnds;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.pulses.FleetScan;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.sweep.probes.ProbeQueue;
import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.health.statistics.VerdictRule;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.sweep.OwnerCounts;
import dev.agenthealth.model.sweep.TurnRule;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Segments of the fleet. Several threads of this process read them and act on them. Not thread-safe itself. */
final class FleetSegments implements Fleet {

    /**
     * The maximum number of segments that are read at the same time. Each reader holds a decoded page of 4 MB: with 16 readers, garbage
     * collection took half of the time.
     */
    private static final int READERS = 4;

    /** The maximum number of agents of an owner that one pass sends to the queue of probes, as many as the runs of a minute can probe. */
    private static final int MAX_PROBES_OF_OWNER = 7_500;

    private final FleetScan scan;
    private final Database database;
    private final LeaseCleanUp leaseCleanUp;
    private final CanaryStore canaries;
    private final KeyStore keys;
    private final CredentialEnds credentials;
    private final DueProbes probes;
    private final Executor executor;
    private final BooleanSupplier timeLeft;
    private final Log log;
    private final SegmentRange range;
    private final Clock clock;

    private DueRows rule = DueRows.of(Inspection.NOTHING, BlockStore.InForce.NOTHING, Map.of());
    private List<SegmentReader> readers = List.of();

    /**
     * A range of segments of a parallel scan.
     *
     * @param from the first segment
     * @param to the segment after the last one
     * @param total the number of all segments
     */
    record SegmentRange(int from, int to, int total) {}

    /** @param timeLeft whether there is time for one more row */
    FleetSegments(
            Database database,
            DueProbes probes,
            Executor executor,
            BooleanSupplier timeLeft,
            Log log,
            SegmentRange range,
            Clock clock) {
        this.scan = new FleetScan(database);
        this.database = database;
        this.leaseCleanUp = new LeaseCleanUp(new LeaseStore(database));
        this.canaries = new CanaryStore(database);
        this.keys = new KeyStore(database);
        this.credentials = new CredentialEnds(database);
        this.probes = probes;
        this.executor = executor;
        this.timeLeft = timeLeft;
        this.log = log;
        this.range = range;
        this.clock = clock;
    }

    @Override
    public FleetReading read(Inspection inspection) {
        BlockStore.InForce blocks = new BlockStore(database).inForce();
        rule = DueRows.of(inspection, blocks, credentials.endedCredentials());
        Optional<VerdictRule> verdicts =
                inspection.statistics() ? Optional.of(verdicts(blocks, inspection.now())) : Optional.empty();
        ContainmentStore.Watch containment =
                inspection.statistics() ? new ContainmentStore(database).watch() : ContainmentStore.Watch.NONE;
        AtomicInteger next = new AtomicInteger(range.from());
        List<CompletableFuture<SegmentReader>> running = IntStream.range(0, READERS)
                .mapToObj(i ->
                        new SegmentReader(rule, inspection.after().probes(), inspection.pools(), verdicts, containment))
                .map(reader -> CompletableFuture.supplyAsync(() -> read(next, reader), executor))
                .toList();
        readers = running.stream().map(Waiting::on).toList();
        probes.send(all(SegmentReader::toProbe), all(SegmentReader::unsampledToProbe), inspection.now());
        return readers.stream().map(SegmentReader::reading).reduce(FleetReading.EMPTY, FleetReading::plus);
    }

    /** Returns agents in turns of their owners: agents that are slow to answer delay no probes of other owners. */
    private List<ProbeQueue.Agent> all(Function<SegmentReader, List<FleetRow>> rows) {
        List<FleetRow> all =
                readers.stream().flatMap(reader -> rows.apply(reader).stream()).toList();
        return TurnRule.inTurns(all, FleetSegments::owner, MAX_PROBES_OF_OWNER).stream()
                .map(row -> new ProbeQueue.Agent(row.pulse().agentId(), owner(row)))
                .toList();
    }

    private static List<FleetRow> inTurns(List<FleetRow> rows) {
        return TurnRule.inTurns(rows, FleetSegments::owner);
    }

    private static long owner(FleetRow row) {
        return OwnerCounts.numberOf(row.pulse().owner());
    }

    /** Reads segments until none is left. */
    private SegmentReader read(AtomicInteger next, SegmentReader reader) {
        for (int number = next.getAndIncrement(); number < range.to(); number = next.getAndIncrement()) {
            scan.segment(number, range.total(), reader::add, reader::addCanary);
        }
        return reader;
    }

    private VerdictRule verdicts(BlockStore.InForce blocks, Instant now) {
        Set<Long> providers = blocks.providers().stream().map(GroupNumber::of).collect(Collectors.toSet());
        return new VerdictRule(
                blocks.agents(), providers, keys.granted(blocks.providers()), blocks.stops(), blocks.shared(), now);
    }

    /** Makes changes of status first, then the other changes. Owners take turns in both. */
    @Override
    public ActionCounts act(SweepDecision decision) {
        ActionCounts.Tally tally = new ActionCounts.Tally();
        RowReconciler reconciler = new RowReconciler(database, leaseCleanUp, rule, decision, tally);
        List<FleetRow> due = due();
        Map<String, Pulse> judged = judge(due, reconciler, decision, tally);
        BooleanSupplier forRest = TimeLeft.within(decision.tick().dividedBy(2), clock, timeLeft);
        List<CompletableFuture<Void>> rows = new ArrayList<>();
        for (FleetRow row : due) {
            rows.add(CompletableFuture.runAsync(
                    () -> tidyUp(
                            row, Optional.ofNullable(judged.get(row.pulse().agentId())), reconciler, forRest, tally),
                    executor));
        }
        for (SegmentReader reader : readers) {
            for (String canaryId : reader.oldCanaries()) {
                rows.add(CompletableFuture.runAsync(
                        () -> attempt(canaryId, () -> canaries.remove(canaryId), forRest, tally), executor));
            }
        }
        rows.forEach(Waiting::on);
        return tally.sum();
    }

    /** Returns the rows so that owners take turns. Each pass begins with another row of an owner, so that no row is always last. */
    private List<FleetRow> due() {
        List<FleetRow> due = new ArrayList<>();
        readers.forEach(reader -> due.addAll(reader.due()));
        Collections.rotate(due, Long.hashCode(rule.now().toEpochMilli()) % Math.max(1, due.size()));
        return inTurns(due);
    }

    /** Returns the pulses after the changes of status. Agents are missing if their changes failed or are left to the next pass. */
    private Map<String, Pulse> judge(
            List<FleetRow> due, RowReconciler reconciler, SweepDecision decision, ActionCounts.Tally tally) {
        Map<String, Pulse> judged = new ConcurrentHashMap<>();
        BooleanSupplier forStatus = TimeLeft.within(decision.tick(), clock, timeLeft);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (FleetRow row : due) {
            String agentId = row.pulse().agentId();
            if (rule.mayChangeStatus(row)) {
                Runnable change = () -> judged.put(agentId, reconciler.judge(row));
                running.add(CompletableFuture.runAsync(() -> attempt(agentId, change, forStatus, tally), executor));
            } else {
                judged.put(agentId, row.pulse());
            }
        }
        running.forEach(Waiting::on);
        return judged;
    }

    private void tidyUp(
            FleetRow row,
            Optional<Pulse> judged,
            RowReconciler reconciler,
            BooleanSupplier forRest,
            ActionCounts.Tally tally) {
        Pulse pulse = row.pulse();
        boolean marks = rule.isUnmarked(pulse);
        if (marks && !(forRest.getAsBoolean() && done(pulse.agentId(), () -> reconciler.mark(pulse), tally))) {
            tally.add(Action.UNMARKED);
        }
        List<Long> days = rule.days(row);
        boolean hasDays = !days.isEmpty();
        if (hasDays
                && !(forRest.getAsBoolean() && done(pulse.agentId(), () -> reconciler.storeDays(row, days), tally))) {
            tally.add(Action.DAYS_POSTPONED);
        }
        if (judged.isPresent() && rule.mayTidyUp(judged.get(), row)) {
            attempt(pulse.agentId(), () -> reconciler.tidyUp(row, judged.get(), forRest), forRest, tally);
        }
    }

    private void attempt(String id, Runnable action, BooleanSupplier time, ActionCounts.Tally tally) {
        if (time.getAsBoolean()) {
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
            // A failure does not stop the other rows. The next pass retries this row.
            log.failure("sweep_of_agent_failed", id, e);
            tally.add(Action.FAILED);
            return false;
        }
    }
}
