package dev.agenthealth.functions.measurement;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.Wiring;
import dev.agenthealth.functions.gateway.ReceiptRepair;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.ConfigurationStore;
import dev.agenthealth.functions.storage.MarkStore;
import dev.agenthealth.functions.storage.Stores;
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
    private static final Duration LEAST_TIME = Duration.ofSeconds(12);

    private final ConfigurationStore configuration;
    private final RegistryWatch registry;
    private final MeasurementPass pass;
    private final MeasurementWorker worker;
    private final ReceiptRepair receipts;
    private final Log log;
    private final Clock clock;

    /** For Lambda. */
    public MeasurementFunction() {
        this(Wiring.fromEnvironment());
    }

    public MeasurementFunction(Wiring wiring) {
        this.clock = wiring.clock();
        this.log = Log.standard(clock);
        Stores stores = Stores.of(wiring);
        this.configuration = stores.configuration(ConfigurationStore.seed(wiring));
        this.registry = new RegistryWatch(stores.sweepState(), stores.outcomes(), clock);
        this.pass = MeasurementPass.of(wiring);
        WorkerCalls workers = new WorkerCalls(wiring.lambda(), wiring.required("MEASUREMENT_WORKER_FUNCTION"));
        this.worker = shard -> MeasurementPass.Outcome.ofNames(workers.call(MeasurementWorkerFunction.request(shard)));
        this.receipts = ReceiptRepair.of(wiring);
    }

    /**
     * Computes the health of all agents that are due.
     *
     * @param event what EventBridge Scheduler sends; nothing in it matters
     * @return what was done, in numbers
     */
    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        long begun = clock.millis();
        lookAtTheRegistry();
        repairReceipts(timeLeft(context));
        MeasurementPass.Outcome outcome = pass.run(portion(), timeLeft(context), worker);
        Map<String, Object> numbers = outcome.byName();
        numbers.put("duration_ms", clock.millis() - begun);
        tell(outcome, numbers);
        return numbers;
    }

    /** So many agents of a shard this run takes on by itself. */
    private int portion() {
        int fanOut = configuration.current().sweepFanOutAgents();
        return Math.max(1, fanOut / (MarkStore.SHARDS * LOOKS_A_COMPUTATION));
    }

    /** The agents' health does not wait for the registry's own. */
    private void lookAtTheRegistry() {
        try {
            registry.look();
        } catch (RuntimeException e) {
            log.failure("registry_not_watched", RegistryHealth.ID, e);
            count("MeasurementFailures", 1);
        }
    }

    /** Before anything is measured, so that an outcome that was left behind counts at once. */
    private void repairReceipts(BooleanSupplier timeLeft) {
        try {
            count("MeasurementFailures", receipts.run(timeLeft).failed());
        } catch (RuntimeException e) {
            log.failure("receipts_not_repaired", RegistryHealth.ID, e);
            count("MeasurementFailures", 1);
        }
    }

    private void tell(MeasurementPass.Outcome outcome, Map<String, Object> numbers) {
        if (outcome.failed() > 0 || outcome.postponed() > 0) {
            log.warn("measurement_pass_incomplete", numbers);
        }
        log.metric("MeasurementDuration", (long) numbers.get("duration_ms"), "Milliseconds", Map.of());
        count(
                "HealthComputations",
                outcome.results().values().stream().mapToLong(Long::longValue).sum());
        count("MeasurementFailures", outcome.failed());
        count("MeasurementsPostponed", outcome.postponed());
    }

    private void count(String metric, long number) {
        if (number > 0) {
            log.metric(metric, number, "Count", Map.of());
        }
    }

    /** Whether the invocation has time for one more agent; always where nobody limits it. */
    static BooleanSupplier timeLeft(Context context) {
        return () -> context == null || context.getRemainingTimeInMillis() > LEAST_TIME.toMillis();
    }
}
