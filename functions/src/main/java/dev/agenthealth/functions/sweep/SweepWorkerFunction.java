package dev.agenthealth.functions.sweep;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.observation.ThrottleWatch;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Counts, or acts on, some segments of the fleet for a sweep that shared out its pass; decides nothing by itself. */
public final class SweepWorkerFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {

    private final Stores stores;
    private final Log log;
    private final ThrottleWatch throttles;
    private final Executor executor;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /** For Lambda. */
    public SweepWorkerFunction() {
        this(Wiring.fromEnvironment());
    }

    public SweepWorkerFunction(Wiring wiring) {
        this.stores = Stores.of(wiring);
        this.log = wiring.log();
        this.throttles = new ThrottleWatch("SweepWorkerFunction", wiring.storageMeter(), log);
        this.executor = wiring.storageMeter()
                .carrying(Executors.newFixedThreadPool(SweepFunction.THREADS, DaemonThreads.named("sweep")));
        this.priming = Priming.registered(
                wiring, log, new Priming.Part("read", () -> stores.keys().recentlyRevoked()));
    }

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> message, Context context) {
        return throttles.during(() -> answer(WorkerMessages.request(message), context));
    }

    private Map<String, Object> answer(WorkerMessages.Request request, Context context) {
        FleetSegments segments =
                new FleetSegments(stores, executor, SweepFunction.timeLeft(context), log, request.range());
        FleetReading reading = segments.read(request.inspection());
        return request.act() ? WorkerMessages.of(segments.act(request.orders())) : WorkerMessages.of(reading);
    }
}
