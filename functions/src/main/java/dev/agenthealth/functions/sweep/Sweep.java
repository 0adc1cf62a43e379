package dev.agenthealth.functions.sweep;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.api.worker.SelfInvocation;
import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.functions.health.trust.Blocking;
import dev.agenthealth.functions.registry.leases.LeaseExpiry;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.history.FleetHistoryStore;
import dev.agenthealth.functions.storage.keys.KeyStore;
import dev.agenthealth.functions.storage.leases.LeaseCountStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.storage.pulses.CanaryStore;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.functions.storage.workflows.WorkflowStore;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.functions.sweep.probes.ProbeQueue;
import dev.agenthealth.model.operations.configuration.RuntimeConfiguration;
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
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** The passes of one period of the schedule, spread evenly over it, and the shards of the passes of others. */
public final class Sweep {

    /** Not set where deployed: there, other instances receive heartbeats before this one starts. */
    private static final String START_FOLLOWS_OUTAGE = "START_FOLLOWS_OUTAGE";

    /** Set where the clock is that of this machine: then its steps are measured. */
    static final String MEASURED_CLOCK = "MEASURED_CLOCK";

    /** Threads that write rows and wait for shards; fewer of them read segments. */
    private static final int THREADS = 16;

    private static final long AGENTS_PER_SEGMENT = 10_000;
    private static final int SEGMENTS_PER_SHARD = 16;
    private static final int MAX_SEGMENTS = 1_000_000;

    /** So many owners have room in the configuration item, which registrations read. */
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

    /** @param nanoTime as {@link System#nanoTime}; used where the clock is measured */
    Sweep(Wiring wiring, LongSupplier nanoTime, PublicApi... addresses) {
        this.wiring = wiring;
        this.shards = new SelfInvocation(wiring.lambda());
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.executor =
                wiring.storageMeter().propagating(Executors.newFixedThreadPool(THREADS, DaemonThreads.named("sweep")));
        this.throttles = new ThrottleMonitor("SweepFunction", wiring.storageMeter(), log);
        this.database = Database.of(wiring);
        this.probes = new DueProbes(
                new ProbeQueue(wiring),
                new NextFunction(wiring.lambda(), wiring.required("PROBE_FUNCTION"), log),
                executor,
                log);
        this.configuration = new ConfigurationStore(database);
        this.period = Duration.ofSeconds(wiring.requiredInt("SWEEP_PERIOD_SECONDS"));
        SweepStateStore states = new SweepStateStore(database);
        SelfCheck selfCheck = new SelfCheck(new CanaryStore(database), List.of(addresses), executor, clock);
        LeaseExpiry leaseExpiry = new LeaseExpiry(new LeaseStore(database));
        boolean isAlone = "true".equals(wiring.environment().get(START_FOLLOWS_OUTAGE));
        StepMeter meter = "true".equals(wiring.environment().get(MEASURED_CLOCK))
                ? new StepMeter(clock, nanoTime)
                : StepMeter.none(clock);
        this.pass = new SweepPass(
                states,
                new MassFailureGuard(selfCheck, states, log, clock),
                isAlone
                        ? ClockCorrection.onOneMachine(states, leaseExpiry, meter, log)
                        : ClockCorrection.ofServers(states, leaseExpiry, clock, log),
                new LeaseWork(leaseExpiry, new LeaseCountStore(database)),
                new Blocking(database, clock, log),
                new PoolMonitor(new PoolStore(database)),
                new StatisticsWriter(new StatisticsStore(database)),
                new FleetHistoryWriter(new FleetHistoryStore(database)),
                new GroupCleaner(new GroupStore(database), new WorkflowStore(database), new BlockStore(database)),
                new KeyEnds(new KeyStore(database)),
                isAlone,
                clock);
    }

    /** Returns whether the event of an invocation is a shard of a pass. */
    public static boolean isShard(Map<String, Object> event) {
        return ShardMessages.isRequest(event);
    }

    /** Counts, or acts on, the segments of a shard; takes no decision. Returns the answer to the pass. */
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
     * Runs the passes of one period. Passes after a failed one still run; the first failure is thrown after the last pass.
     *
     * @return the numbers of each pass
     */
    public List<Map<String, Object>> passes(Context context) {
        return throttles.during(() -> runPasses(context));
    }

    private List<Map<String, Object>> runPasses(Context context) {
        int passes = configured().configuration().sweepPassesPerMinute();
        Duration tick = period.dividedBy(passes);
        Instant start = clock.instant();
        List<Map<String, Object>> numbers = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        for (int i = 0; i < passes; i++) {
            Instant due = start.plus(tick.multipliedBy(i));
            if (!clock.instant().isBefore(due.plus(tick))) {
                // Earlier passes took its time. A late pass would run beside the next invocation.
                log.warn("sweep_pass_skipped", Map.of("pass", i + 1, "of", passes));
                continue;
            }
            waitUntil(due, tick);
            // The schedule may be late; passes within an invocation start on time.
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
                size -> fleet(size, current.sweepFanOutAgents(), context),
                current,
                tick,
                maxPause,
                TimeLeft.in(context));
        OwnerCounts owners = outcome.reading().owners();
        Set<Long> atQuota = owners.ownersOf(current.maxAgentsPerKey(), MAX_OWNERS_AT_QUOTA);
        Set<Long> atWatchQuota = owners.ownersOfWatched(current.maxWatchedAgentsPerKey(), MAX_OWNERS_AT_QUOTA);
        if (!atQuota.equals(stored.ownersAtQuota()) || !atWatchQuota.equals(stored.ownersAtWatchQuota())) {
            configuration.noteOwnersAtQuota(atQuota, atWatchQuota);
        }
        long durationMillis = Duration.between(startedAt, clock.instant()).toMillis();
        SweepReport report = new SweepReport(outcome, current.metricRoles(), durationMillis);
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

    /** @param longest where the clock was set back meanwhile, the pass begins after this time */
    private void waitUntil(Instant moment, Duration longest) {
        Duration wait = Duration.between(clock.instant(), moment);
        if (wait.compareTo(Duration.ZERO) > 0) {
            wiring.pause().of(wait.compareTo(longest) < 0 ? wait : longest);
        }
    }

    /** The whole fleet in this process, or in shards of the size that one invocation handles. */
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
