package dev.agenthealth.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.api.worker.NextFunction;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.sweep.Sweep;
import java.util.Map;

/**
 * Runs the passes of the sweep when the schedule invokes it, and a shard of a pass when it invokes itself. When the passes end, it starts the
 * notifications.
 */
public final class SweepFunction implements RequestHandler<Map<String, Object>, Object> {

    private final Sweep sweep;
    private final NextFunction notifications;

    /** For Lambda. */
    public SweepFunction() {
        this(Wiring.fromEnvironment());
    }

    public SweepFunction(Wiring wiring) {
        this.sweep = new Sweep(wiring);
        this.notifications = new NextFunction(wiring.lambda(), wiring.required("NOTIFICATION_FUNCTION"), wiring.log());
    }

    /**
     * @param event a shard, or what EventBridge Scheduler sends, of which nothing is read: its {@code detail} is a text, which the event
     *     library's own class does not accept
     * @return the numbers of each pass, or the result of the shard
     */
    @Override
    public Object handleRequest(Map<String, Object> event, Context context) {
        if (Sweep.isShard(event)) {
            return sweep.shard(event, context);
        }
        try {
            return sweep.passes(context);
        } finally {
            // Also after a failure, which is logged: what was collected before is still to be sent.
            notifications.start();
        }
    }
}
