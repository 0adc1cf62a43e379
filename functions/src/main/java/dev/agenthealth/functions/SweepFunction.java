package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.sweep.Sweep;
import java.util.Map;

/**
 * Runs the passes of the sweep. The schedule invokes the function, and the function invokes itself for each shard of a pass. When the
 * passes end, it starts the notifications.
 */
public final class SweepFunction implements RequestHandler<Map<String, Object>, Object> {

    private final Sweep sweep;
    private final NextFunction notifications;

    /** Lambda calls this constructor. */
    public SweepFunction() {
        this(Wiring.fromEnvironment());
    }

    public SweepFunction(Wiring wiring) {
        this.sweep = new Sweep(wiring);
        this.notifications =
                new NextFunction(wiring.lambda(), wiring.get(FunctionSettings.NOTIFICATION_FUNCTION), wiring.log());
    }

    /**
     * @param event a shard, or the event of EventBridge Scheduler, which is not read: its {@code detail} is a text, and the event
     *     library's own class does not accept a text
     * @return the counts of each pass, or the result of the shard
     */
    @Override
    public Object handleRequest(Map<String, Object> event, Context context) {
        if (Sweep.isShard(event)) {
            return sweep.shard(event, context);
        }
        try {
            return sweep.passes(context);
        } finally {
            // Notifications also start after a failure, which is logged: messages collected before still have to be
            // sent.
            notifications.start();
        }
    }
}
