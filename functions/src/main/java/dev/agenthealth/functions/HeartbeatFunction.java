package dev.agenthealth.functions;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.registry.heartbeat.HeartbeatRoutes;
import dev.agenthealth.functions.registry.openintent.OpenIntentHeartbeat;
import dev.agenthealth.functions.registry.outcomes.OutcomeRoutes;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/** Serves heartbeats and outcomes of executions. The function needs no AWS client but DynamoDB's. */
public final class HeartbeatFunction extends HttpFunction {

    /** Lambda calls this constructor. */
    public HeartbeatFunction() {
        this(Wiring.storageOnly());
    }

    public HeartbeatFunction(Wiring wiring) {
        super(wiring);
        HeartbeatRoutes heartbeats = new HeartbeatRoutes(wiring, database(), authenticator(), log());
        heartbeats.addTo(routes());
        new OutcomeRoutes(database(), wiring.clock(), log()).addTo(routes());
        new OpenIntentHeartbeat(heartbeats.heartbeats()).addTo(routes());
        warmUpWith(HeartbeatRoutes.WARM_UP);
    }
}
