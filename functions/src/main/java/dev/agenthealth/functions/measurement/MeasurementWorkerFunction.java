package dev.agenthealth.functions.measurement;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.wiring.Wiring;
import java.util.Map;
import java.util.Set;

/** Computes the health of the agents of one shard, for a measurement that has too many due. */
public final class MeasurementWorkerFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    private static final String SHARD = "shard";

    /** So many agents are read at a time. */
    private static final int PORTION = 1_000;

    private final MeasurementPass pass;
    private final ThrottleWatch throttles;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /** For Lambda. */
    public MeasurementWorkerFunction() {
        this(Wiring.fromEnvironment());
    }

    public MeasurementWorkerFunction(Wiring wiring) {
        Log log = wiring.log();
        this.pass = MeasurementPass.of(wiring, log);
        this.throttles = new ThrottleWatch("MeasurementWorkerFunction", wiring.storageMeter(), log);
        this.priming = Priming.registered(wiring, log, pass.rehearsedRead());
    }

    /** What this function is asked. */
    static Map<String, Object> request(int shard) {
        return Map.of(SHARD, shard);
    }

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> request, Context context) {
        if (!(request.get(SHARD) instanceof Number shard)) {
            throw new IllegalArgumentException("a worker of the measurement is told a shard");
        }
        return throttles.during(() -> pass.run(Set.of(shard.intValue()), PORTION, MeasurementFunction.timeLeft(context))
                .byName());
    }
}
