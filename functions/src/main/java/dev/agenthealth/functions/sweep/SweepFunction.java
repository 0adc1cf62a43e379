package dev.agenthealth.functions.sweep;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.leases.LeaseExpiry;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.functions.sweep.FleetSegments.SegmentRange;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.functions.worker.WorkerCalls;
import dev.agenthealth.model.configuration.RuntimeConfiguration;
import dev.agenthealth.model.sweep.GracePeriodRule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The schedule's target: as many passes as are configured, spread evenly over the period. */
public final class SweepFunction implements RequestHandler<Map<String, Object>, List<Map<String, Object>>> {

    /** Threads that read segments and write rows. */
    static final int THREADS = 16;

    /** Rows are begun only while there is so much time left: more than any single row takes with all its retries. */
    private static final Duration MIN_TIME = Duration.ofSeconds(12);

    private static final long AGENTS_A_SEGMENT = 10_000;
    private static final int SEGMENTS_A_WORKER = 16;
    private static final int MAX_SEGMENTS = 1_000_000;

    private final Wiring wiring;
    private final WorkerCalls workers;
    private final Stores stores;
    private final ConfigurationStore configuration;
    private final SweepPass pass;
    private final SweepReport report;
    private final Log log;
    private final ThrottleWatch throttles;
    private final Clock clock;
    private final Duration period;
    private final Executor executor;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /** For Lambda. */
    public SweepFunction() {
        this(Wiring.fromEnvironment());
    }

    public SweepFunction(Wiring wiring) {
        this(wiring, wiring.log());
    }

    SweepFunction(Wiring wiring, PublicApi frontDoor) {
        this(wiring, frontDoor, wiring.log());
    }

    private SweepFunction(Wiring wiring, Log log) {
        this(wiring, new HttpPublicApi(wiring.required("PUBLIC_URL"), wiring.clock(), log), log);
    }

    private SweepFunction(Wiring wiring, PublicApi frontDoor, Log log) {
        this.wiring = wiring;
        this.workers = new WorkerCalls(wiring.lambda(), wiring.required("SWEEP_WORKER_FUNCTION"));
        this.clock = wiring.clock();
        this.log = log;
        this.executor =
                wiring.storageMeter().carrying(Executors.newFixedThreadPool(THREADS, DaemonThreads.named("sweep")));
        this.throttles = new ThrottleWatch("SweepFunction", wiring.storageMeter(), log);
        this.stores = Stores.of(wiring);
        this.configuration = stores.configuration(ConfigurationStore.seed(wiring));
        this.period = Duration.ofSeconds(wiring.requiredInt("SWEEP_PERIOD_SECONDS"));
        SweepStateStore states = stores.sweepState();
        SelfCheck listening = new SelfCheck(stores.canaries(), frontDoor, executor, clock);
        this.pass = new SweepPass(
                states,
                new MassFailureGuard(listening, states, log, clock),
                new LeaseExpiry(stores.leases()),
                new PoolWatch(stores.pools()),
                new CensusKeeper(stores.census()),
                clock);
        this.report = new SweepReport(log);
        this.priming = Priming.registered(wiring, log, new Priming.Part("read", states::current));
    }

    /**
     * Runs the passes of one period. A pass that fails keeps none of the later ones from starting; the first failure is thrown after the
     * last pass.
     *
     * @param event what EventBridge Scheduler sends; nothing in it matters, and its {@code detail} is a text rather than an object,
     *     which the event library's own class does not accept
     * @return the numbers of each pass
     */
    @Override
    public List<Map<String, Object>> handleRequest(Map<String, Object> event, Context context) {
        return throttles.during(() -> passes(context));
    }

    private List<Map<String, Object>> passes(Context context) {
        int passes = configuration.current().sweepPassesPerMinute();
        Duration tick = period.dividedBy(passes);
        Instant start = clock.instant();
        List<Map<String, Object>> told = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        for (int i = 0; i < passes; i++) {
            Instant due = start.plus(tick.multipliedBy(i));
            if (!clock.instant().isBefore(due.plus(tick))) {
                // Earlier passes took this one's time as well. To run late would be to run beside the next invocation.
                log.warn("sweep_pass_left_out", Map.of("pass", i + 1, "of", passes));
                continue;
            }
            waitUntil(due);
            // A schedule may be late, while passes within an invocation start when they are due.
            Duration longestPause =
                    i == 0 ? GracePeriodRule.longestPauseBefore(tick, period) : GracePeriodRule.longestPause(tick);
            try {
                told.add(pass(tick, longestPause, context));
            } catch (RuntimeException e) {
                log.failure("sweep_pass_failed", "pass " + (i + 1) + " of " + passes, e);
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return told;
    }

    private Map<String, Object> pass(Duration tick, Duration longestPause, Context context) {
        Instant begun = clock.instant();
        RuntimeConfiguration current = configuration.current();
        SweepPass.Outcome outcome = pass.run(
                size -> fleet(size, current.sweepFanOutAgents(), context),
                current,
                tick,
                longestPause,
                timeLeft(context));
        long duration = Duration.between(begun, clock.instant()).toMillis();
        report.tell(outcome, duration);
        return SweepReport.numbers(outcome, duration);
    }

    private void waitUntil(Instant moment) {
        Duration wait = Duration.between(clock.instant(), moment);
        if (!wait.isNegative() && !wait.isZero()) {
            wiring.pause().of(wait);
        }
    }

    /** The whole fleet in this process, or shared out in portions of the size that one run is trusted with. */
    private Fleet fleet(long size, int fanOutAgents, Context context) {
        if (size <= fanOutAgents) {
            int segments = (int) Math.min(MAX_SEGMENTS, 1 + size / AGENTS_A_SEGMENT);
            return new FleetSegments(stores, executor, timeLeft(context), log, new SegmentRange(0, segments, segments));
        }
        int portions = (int) Math.min(MAX_SEGMENTS / SEGMENTS_A_WORKER, (size + fanOutAgents - 1) / fanOutAgents);
        int total = portions * SEGMENTS_A_WORKER;
        List<SharedOutFleet.Worker> shared = IntStream.range(0, portions)
                .<SharedOutFleet.Worker>mapToObj(i -> new LambdaWorker(
                        workers, new SegmentRange(i * SEGMENTS_A_WORKER, (i + 1) * SEGMENTS_A_WORKER, total)))
                .toList();
        return new SharedOutFleet(shared, executor);
    }

    /** Whether the invocation has time for one more row; always where nobody limits it. */
    static BooleanSupplier timeLeft(Context context) {
        return () -> context == null || context.getRemainingTimeInMillis() > MIN_TIME.toMillis();
    }
}
