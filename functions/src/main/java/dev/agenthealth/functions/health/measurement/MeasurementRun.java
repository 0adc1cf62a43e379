package dev.agenthealth.functions.health.measurement;

import com.amazonaws.services.lambda.runtime.Context;
import dev.agenthealth.functions.api.worker.SelfInvocation;
import dev.agenthealth.functions.api.worker.TimeLeft;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.observation.Metric;
import dev.agenthealth.functions.runtime.observation.Metrics;
import dev.agenthealth.functions.runtime.observation.ThrottleMonitor;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.outcomes.OutcomeStore;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.storage.system.SweepStateStore;
import dev.agenthealth.model.Counts;
import dev.agenthealth.model.health.RegistryHealth;
import dev.agenthealth.model.operations.configuration.RuntimeSettings;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/** A run of the measurement, and the shards that it leaves to workers. Thread-safe. */
public final class MeasurementRun {

    private static final String SHARD = "shard";

    /** The number of agents of a shard that are read at a time. */
    private static final int BATCH_AGENTS = 1_000;

    /** The number of agents that a sweep handles in the time of one computation of health, approximately. */
    private static final int LOOKS_A_COMPUTATION = 25;

    private final ConfigurationStore configuration;
    private final RegistryMonitor registry;
    private final MeasurementPass pass;
    private final SelfInvocation workers;
    private final ToLongFunction<BooleanSupplier> receiptRepair;
    private final Log log;
    private final ThrottleMonitor throttles;

    private final Clock clock;

    /**
     * @param receiptRepair counts outcomes that a stopped function left behind, while its argument is true; returns the number of failed
     *     repairs
     */
    public MeasurementRun(Wiring wiring, ToLongFunction<BooleanSupplier> receiptRepair) {
        this.clock = wiring.clock();
        this.log = wiring.log();
        this.throttles = new ThrottleMonitor("MeasurementFunction", wiring.storageMeter(), log);
        Database database = Database.of(wiring);
        this.configuration = new ConfigurationStore(database);
        this.registry = new RegistryMonitor(new SweepStateStore(database), new OutcomeStore(database), clock);
        this.pass = MeasurementPass.of(wiring, database, registry, log);
        this.workers = new SelfInvocation(wiring.lambda());
        this.receiptRepair = receiptRepair;
    }

    /** Returns whether the event of an invocation is a shard. */
    public static boolean isShard(Map<String, Object> event) {
        return event.containsKey(SHARD);
    }

    /** Computes the health of all due agents. Returns the number of agents for each result. */
    public Map<String, Object> run(Context context) {
        return throttles.during(() -> run(
                TimeLeft.in(context),
                shard -> Counts.ofNames(MeasurementResult.class, workers.call(context, Map.of(SHARD, shard)))));
    }

    /** Computes the health of the due agents of one shard. Returns the number of agents for each result. */
    public Map<String, Object> shard(Map<String, Object> event, Context context) {
        int shard = ((Number) event.get(SHARD)).intValue();
        return throttles.during(() -> Counts.byName(
                MeasurementResult.class, pass.run(Set.of(shard), BATCH_AGENTS, TimeLeft.inShard(context, clock))));
    }

    private Map<String, Object> run(BooleanSupplier timeLeft, IntFunction<Counts<MeasurementResult>> workers) {
        long begun = clock.millis();
        long failedBefore = measureRegistry() + repairReceipts(timeLeft);
        Counts<MeasurementResult> counts = pass.run(ownAgents(), timeLeft, workers);
        long duration = clock.millis() - begun;
        Map<String, Object> numbers = Counts.byName(MeasurementResult.class, counts);
        numbers.put("duration_ms", duration);
        if (counts.get(MeasurementResult.FAILED) > 0 || counts.get(MeasurementResult.POSTPONED) > 0) {
            log.warn("measurement_pass_incomplete", numbers);
        }
        log.metrics(new Metrics()
                .with(Metric.MEASUREMENT_RUNS, 1)
                .with(Metric.MEASUREMENT_DURATION, duration)
                .withNonZero(Metric.HEALTH_COMPUTATIONS, computations(counts))
                .withNonZero(Metric.MEASUREMENT_FAILURES, failedBefore + counts.get(MeasurementResult.FAILED))
                .withNonZero(Metric.MEASUREMENTS_POSTPONED, counts.get(MeasurementResult.POSTPONED)));
        return numbers;
    }

    /** Returns the number of computations that did not fail. */
    private static long computations(Counts<MeasurementResult> counts) {
        return counts.get(MeasurementResult.COMPUTED)
                + counts.get(MeasurementResult.PUBLISHED)
                + counts.get(MeasurementResult.OVERTAKEN)
                + counts.get(MeasurementResult.UNKNOWN);
    }

    /** Returns the maximum number of agents of a shard that a run computes itself. */
    private int ownAgents() {
        int fanOut = configuration.current().get(RuntimeSettings.SWEEP_FAN_OUT_AGENTS);
        return Math.max(1, fanOut / (pass.usualShards() * LOOKS_A_COMPUTATION));
    }

    /** Measures the registry. A failure does not stop the measurement of agents. Returns the number of failures, 0 or 1. */
    private long measureRegistry() {
        try {
            registry.record();
            return 0;
        } catch (RuntimeException e) {
            log.failure("registry_not_measured", RegistryHealth.ID, e);
            return 1;
        }
    }

    /** Counts outcomes that were left behind, before the measurement, so that they count at once. Returns the number of failures. */
    private long repairReceipts(BooleanSupplier timeLeft) {
        try {
            return receiptRepair.applyAsLong(timeLeft);
        } catch (RuntimeException e) {
            log.failure("receipts_not_repaired", RegistryHealth.ID, e);
            return 1;
        }
    }
}
