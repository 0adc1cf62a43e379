package dev.agenthealth.functions.measurement;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.gateway.ReceiptRepair;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.Metric;
import dev.agenthealth.functions.observation.Metrics;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.functions.worker.WorkerCalls;
import dev.agenthealth.model.health.RegistryHealth;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The schedule's target that computes the health of agents. */
public final class MeasurementFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    /** To compute an agent's health takes about as long as the sweep needs to look at so many agents. */
    private static final int LOOKS_A_COMPUTATION = 25;

    /** Agents are begun only while there is so much time left: more than any single one takes with all its retries. */
    private static final Duration MIN_TIME = Duration.ofSeconds(12);

    private final ConfigurationStore configuration;
    private final RegistryWatch registry;
    private final MeasurementPass pass;
    private final MeasurementWorker worker;
    private final ReceiptRepair receipts;
    private final Log log;
    private final ThrottleWatch throttles;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    private final Clock clock;

    /** For Lambda. */
    public MeasurementFunction() {
        this(Wiring.fromEnvironment());
    }

    public MeasurementFunction(Wiring wiring) {
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.throttles = new ThrottleWatch("MeasurementFunction", wiring.storageMeter(), log);
        Stores stores = Stores.of(wiring);
        this.configuration = stores.configuration(ConfigurationStore.seed(wiring));
        this.registry = new RegistryWatch(stores.sweepState(), stores.outcomes(), clock);
        this.pass = MeasurementPass.of(wiring, log);
        WorkerCalls workers = new WorkerCalls(wiring.lambda(), wiring.required("MEASUREMENT_WORKER_FUNCTION"));
        this.worker = shard -> MeasurementPass.Outcome.ofNames(workers.call(MeasurementWorkerFunction.request(shard)));
        this.priming = Priming.registered(wiring, log, pass.rehearsedRead());
        this.receipts = ReceiptRepair.of(wiring, log);
    }

    /**
     * Computes the health of all agents that are due.
     *
     * @param event what EventBridge Scheduler sends; nothing in it matters
     * @return what was done, in numbers
     */
    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        return throttles.during(() -> run(timeLeft(context)));
    }

    private Map<String, Object> run(BooleanSupplier timeLeft) {
        long begun = clock.millis();
        long failedBefore = lookAtTheRegistry() + repairReceipts(timeLeft);
        MeasurementPass.Outcome outcome = pass.run(portion(), timeLeft, worker);
        long duration = clock.millis() - begun;
        Map<String, Object> numbers = outcome.byName();
        numbers.put("duration_ms", duration);
        if (outcome.failed() > 0 || outcome.postponed() > 0) {
            log.warn("measurement_pass_incomplete", numbers);
        }
        log.metrics(new Metrics()
                .with(Metric.MEASUREMENT_RUNS, 1)
                .with(Metric.MEASUREMENT_DURATION, duration)
                .withAny(Metric.HEALTH_COMPUTATIONS, outcome.computations())
                .withAny(Metric.MEASUREMENT_FAILURES, failedBefore + outcome.failed())
                .withAny(Metric.MEASUREMENTS_POSTPONED, outcome.postponed()));
        return numbers;
    }

    /** So many agents of a shard this run takes on by itself. */
    private int portion() {
        int fanOut = configuration.current().sweepFanOutAgents();
        return Math.max(1, fanOut / (pass.usualShards() * LOOKS_A_COMPUTATION));
    }

    /** The agents' health does not wait for the registry's own. Returns how much failed. */
    private long lookAtTheRegistry() {
        try {
            registry.look();
            return 0;
        } catch (RuntimeException e) {
            log.failure("registry_not_watched", RegistryHealth.ID, e);
            return 1;
        }
    }

    /** Before anything is measured, so that an outcome that was left behind counts at once. Returns how much failed. */
    private long repairReceipts(BooleanSupplier timeLeft) {
        try {
            return receipts.run(timeLeft).failed();
        } catch (RuntimeException e) {
            log.failure("receipts_not_repaired", RegistryHealth.ID, e);
            return 1;
        }
    }

    /** Whether the invocation has time for one more agent; always where nobody limits it. */
    static BooleanSupplier timeLeft(Context context) {
        return () -> context == null || context.getRemainingTimeInMillis() > MIN_TIME.toMillis();
    }
}
