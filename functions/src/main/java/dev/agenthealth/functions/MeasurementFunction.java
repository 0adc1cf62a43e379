package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.gateway.ReceiptRepair;
import dev.agenthealth.functions.health.measurement.MeasurementRun;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Map;

/** Computes the health of agents. The schedule invokes the function, and the function invokes itself for each shard of agents. */
public final class MeasurementFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    private final MeasurementRun measurement;

    /** Lambda calls this constructor. */
    public MeasurementFunction() {
        this(Wiring.fromEnvironment());
    }

    public MeasurementFunction(Wiring wiring) {
        ReceiptRepair receipts = ReceiptRepair.of(wiring, wiring.log());
        this.measurement =
                new MeasurementRun(wiring, timeLeft -> receipts.run(timeLeft).failed());
    }

    /**
     * @param event a shard, or the event of EventBridge Scheduler, which is not read
     * @return the counts of the run
     */
    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        return MeasurementRun.isShard(event) ? measurement.shard(event, context) : measurement.run(context);
    }
}
