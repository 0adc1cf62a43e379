package dev.agenthealth.functions.sweep;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.api.worker.SelfInvocation;
import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.functions.health.trust.Blocking;
import dev.agenthealth.functions.registry.leases.LeaseExpiry;
import dev.agenthealth.functions.registry.lifesigns.Ghosts;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.leases.LeaseCountStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.storage.system.DeathQuotaStore;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.functions.sweep.probes.ProbeQueue;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import dev.agenthealth.model.sweep.GracePeriodRule;
import dev.agenthealth.model.sweep.OwnerCounts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The job that finds agents with missing heartbeats. It runs in one function, once per period of the schedule.
 *
 * <p>The schedule of Lambda starts a function once a minute at most. A sweep therefore runs several passes in one invocation, spread evenly
 * over the period. With a period of 60 s and three passes, the passes start after 0, 20 and 40 s. A pass that would start a whole interval
 * late is skipped, so that it does not overlap the next invocation. A failed pass does not stop the passes after it.
 *
 * <p>{@link SweepPass} has the steps of a pass. In a small fleet, this process reads and writes all rows itself. In a large fleet, the pass
 * divides the rows into shards and invokes the same function for each shard, see {@link #shard}. A shard counts or acts, but only the pass
 * decides.
 */
public final class Sweep {

    /** The number of threads that write rows and wait for shards. Fewer threads read segments. */
    private static final int THREADS = 16;

    private static final long AGENTS_PER_SEGMENT = 10_000;
    private static final int SEGMENTS_PER_SHARD = 16;
    private static final int MAX_SEGMENTS = 1_000_000;

    /** The number of owners that fit into the configuration item, which registrations read. */
    private static final int MAX_OWNERS_AT_QUOTA = 500;

    private final Wiring wiring;
    private final SelfInvocation shards;
    private final Database database;
    private final DueProbes probes;
    private final ConfigurationStore configuration;
    private final SweepPass pass;
    private final Log log;
    private final ThrottleMonitor throttles;
    private final Clock clock;
    private final Duration period;
    private final Executor executor;

    public Sweep(Wiring wiring) {
        this(wiring, wiring.nanoTime(), HttpPublicApi.inUse(wiring));
    }

    Sweep(Wiring wiring, PublicApi... addresses) {
        this(wiring, wiring.nanoTime(), addresses);
    }

    /** @param nanoTime a monotonic clock, as {@link System#nanoTime}; used if {@link FunctionSettings#MEASURED_CLOCK} is set */
    Sweep(Wiring wiring, LongSupplier nanoTime, PublicApi... addresses) {
        this.wiring = wiring;
        this.shards = new SelfInvocation(wiring.lambda());
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.executor = wiring.storageMeter().propagating(DaemonThreads.pool(THREADS, "sweep"));
        this.throttles = new ThrottleMonitor("SweepFunction", wiring.storageMeter(), log);
        this.database = Database.of(wiring);
        this.probes = new DueProbes(
                new ProbeQueue(wiring),
                new NextFunction(wiring.lambda(), wiring.get(FunctionSettings.PROBE_FUNCTION), log),
                executor,
                log);
        this.configuration = new ConfigurationStore(database);
        this.period = Duration.ofSeconds(wiring.get(FunctionSettings.SWEEP_PERIOD_SECONDS));
        SweepStateStore states = new SweepStateStore(database);
        SelfCheck selfCheck = new SelfCheck(new CanaryStore(database), List.of(addresses), executor, clock);
        LeaseExpiry leaseExpiry = new LeaseExpiry(new LeaseStore(database));
        boolean isAlone = wiring.get(FunctionSettings.START_FOLLOWS_OUTAGE);
        StepMeter meter =
                wiring.get(FunctionSettings.MEASURED_CLOCK) ? new StepMeter(clock, nanoTime) : StepMeter.none(clock);
        ClockCorrection correction = isAlone
                ? ClockCorrection.onOneMachine(states, leaseExpiry, meter, log)
                : ClockCorrection.ofServers(states, leaseExpiry, clock, log);
        StatisticsWriter statisticsWriter = new StatisticsWriter(new StatisticsStore(database));
        this.pass = new SweepPass(
                new SweepProgress(states, statisticsWriter, correction, isAlone),
                new MassFailureGuard(selfCheck, states, new DeathQuotaStore(database), log, clock),
                correction,
                new Expiries(
                        new LeaseWork(leaseExpiry, new LeaseCountStore(database)),
                        new Blocking(database, clock, log),
                        new Ghosts(database, clock, log),
                        new KeyEnds(new KeyStore(database)),
                        new UpstreamMonitor(database, log)),
                new FleetFindings(
                        new PoolMonitor(new PoolStore(database)),
                        new SharedLimits(database, log),
                        new ContainmentPass(database, log)),
                new FleetRecords(
                        statisticsWriter,
                        new FleetHistoryWriter(new FleetHistoryStore(database)),
                        new GroupCleaner(
                                new GroupStore(database), new WorkflowStore(database), new BlockStore(database))),
                clock);
    }

    /** Returns whether the event of an invocation is a shard of a pass. */
    public static boolean isShard(Map<String, Object> event) {
        return ShardMessages.isRequest(event);
    }

    /** Counts the rows of a shard, or acts on them, as the pass decided. Returns the answer to the pass. */
    public Map<String, Object> shard(Map<String, Object> event, Context context) {
        return throttles.during(() -> {
            ShardMessages.Request request = ShardMessages.request(event);
            FleetSegments segments = new FleetSegments(
                    database, probes, executor, TimeLeft.inShard(context, clock), log, request.range(), clock);
            FleetReading reading = segments.read(request.inspection());
            return request.act() ? segments.act(request.decision()).byName() : ShardMessages.of(reading);
        });
    }

    /**
     * Runs the passes of one period. Passes after a failed pass still run. The first failure is thrown after the last pass.
     *
     * @return the numbers of each pass
     */
    public List<Map<String, Object>> passes(Context context) {
        return throttles.during(() -> runPasses(context));
    }

    private List<Map<String, Object>> runPasses(Context context) {
        int passes = configured().configuration().get(RuntimeSettings.SWEEP_PASSES_PER_MINUTE);
        Duration tick = period.dividedBy(passes);
        Instant start = clock.instant();
        List<Map<String, Object>> numbers = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        for (int i = 0; i < passes; i++) {
            Instant due = start.plus(tick.multipliedBy(i));
            if (!clock.instant().isBefore(due.plus(tick))) {
                // Earlier passes took the time of this pass. A late pass would overlap the next invocation.
                log.warn("sweep_pass_skipped", Map.of("pass", i + 1, "of", passes));
                continue;
            }
            waitUntil(due, tick);
            // The schedule may be late, but passes within an invocation start on time.
            Duration maxPause = i == 0 ? GracePeriodRule.maxPauseBefore(tick, period) : GracePeriodRule.maxPause(tick);
            try {
                numbers.add(runPass(tick, maxPause, context));
            } catch (RuntimeException e) {
                log.failure("sweep_pass_failed", "pass " + (i + 1) + " of " + passes, e);
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return numbers;
    }

    private Map<String, Object> runPass(Duration tick, Duration maxPause, Context context) {
        Instant startedAt = clock.instant();
        ConfigurationStore.Stored stored = configured();
        RuntimeConfiguration current = stored.configuration();
        SweepPass.Outcome outcome = pass.run(
                size -> fleet(size, current.get(RuntimeSettings.SWEEP_FAN_OUT_AGENTS), context),
                current,
                tick,
                maxPause,
                TimeLeft.in(context));
        OwnerCounts owners = outcome.reading().owners();
        Set<Long> atQuota = owners.ownersOf(current.get(RuntimeSettings.MAX_AGENTS_PER_KEY), MAX_OWNERS_AT_QUOTA);
        Set<Long> atWatchQuota =
                owners.ownersOfWatched(current.get(RuntimeSettings.MAX_WATCHED_AGENTS_PER_KEY), MAX_OWNERS_AT_QUOTA);
        if (!atQuota.equals(stored.ownersAtQuota()) || !atWatchQuota.equals(stored.ownersAtWatchQuota())) {
            configuration.noteOwnersAtQuota(atQuota, atWatchQuota);
        }
        long durationMillis = Duration.between(startedAt, clock.instant()).toMillis();
        SweepReport report = new SweepReport(outcome, current.get(RuntimeSettings.METRIC_ROLES), durationMillis);
        report.write(log);
        return report.numbers();
    }

    private ConfigurationStore.Stored configured() {
        try {
            return configuration.stored();
        } catch (RuntimeException e) {
            pass.couldNotBegin();
            throw e;
        }
    }

    /** @param longest the maximum wait, in case the clock is set back meanwhile */
    private void waitUntil(Instant moment, Duration longest) {
        Duration wait = Duration.between(clock.instant(), moment);
        if (wait.compareTo(Duration.ZERO) > 0) {
            wiring.pause().of(wait.compareTo(longest) < 0 ? wait : longest);
        }
    }

    /** Returns the whole fleet in this process, or in shards of the size that one invocation handles. */
    private Fleet fleet(long size, int fanOutAgents, Context context) {
        if (size <= fanOutAgents) {
            int segments = (int) Math.min(MAX_SEGMENTS, 1 + size / AGENTS_PER_SEGMENT);
            return new FleetSegments(
                    database,
                    probes,
                    executor,
                    TimeLeft.in(context),
                    log,
                    new SegmentRange(0, segments, segments),
                    clock);
        }
        int number = (int) Math.min(MAX_SEGMENTS / SEGMENTS_PER_SHARD, (size + fanOutAgents - 1) / fanOutAgents);
        List<SegmentRange> ranges = IntStream.range(0, number)
                .mapToObj(i -> new SegmentRange(
                        i * SEGMENTS_PER_SHARD, (i + 1) * SEGMENTS_PER_SHARD, number * SEGMENTS_PER_SHARD))
                .toList();
        return new FanOutFleet(ranges, message -> shards.call(context, message), executor);
    }
}
