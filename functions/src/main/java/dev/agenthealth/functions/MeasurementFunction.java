package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.measurement.Measurement;
import dev.agenthealth.functions.wiring.Wiring;
import java.util.Map;

/** Computes the health of agents when the schedule invokes it, and of the agents of one shard when it invokes itself. */
public final class MeasurementFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    private final Measurement measurement;

    /** For Lambda. */
    public MeasurementFunction() {
        this(Wiring.fromEnvironment());
    }

    public MeasurementFunction(Wiring wiring) {
        this.measurement = new Measurement(wiring);
    }

    /**
     * @param event a portion, or what EventBridge Scheduler sends, of which nothing is read
     * @return the numbers of what was done
     */
    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        return Measurement.isPortion(event) ? measurement.portion(event, context) : measurement.run(context);
    }
}
