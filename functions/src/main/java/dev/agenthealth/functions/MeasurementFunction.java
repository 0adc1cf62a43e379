package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.gateway.ReceiptRepair;
import dev.agenthealth.functions.health.measurement.MeasurementRun;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import java.util.Map;

/** Computes the health of agents when the schedule invokes it, and of the agents of one shard when it invokes itself. */
public final class MeasurementFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    private final MeasurementRun measurement;

    /** For Lambda. */
    public MeasurementFunction() {
        this(Wiring.fromEnvironment());
    }

    public MeasurementFunction(Wiring wiring) {
        ReceiptRepair receipts = ReceiptRepair.of(wiring, wiring.log());
        this.measurement =
                new MeasurementRun(wiring, timeLeft -> receipts.run(timeLeft).failed());
    }

    /**
     * @param event a shard, or what EventBridge Scheduler sends, of which nothing is read
     * @return the numbers of what was done
     */
    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        return MeasurementRun.isShard(event) ? measurement.shard(event, context) : measurement.run(context);
    }
}
