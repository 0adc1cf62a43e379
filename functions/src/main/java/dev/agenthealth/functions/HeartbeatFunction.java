package dev.agenthealth.functions;

import dev.agenthealth.functions.heartbeat.HeartbeatRoutes;
import dev.agenthealth.functions.openintent.OpenIntentRoutes;
import dev.agenthealth.functions.outcomes.OutcomeRoutes;
import dev.agenthealth.functions.routes.HttpFunction;
import dev.agenthealth.functions.wiring.Wiring;

/** Heartbeats, and outcomes of executions. Needs no class of another AWS service than DynamoDB. */
public final class HeartbeatFunction extends HttpFunction {

    /** For Lambda. */
    public HeartbeatFunction() {
        this(Wiring.storageOnly());
    }

    public HeartbeatFunction(Wiring wiring) {
        super(wiring);
        new HeartbeatRoutes(wiring, database(), authenticator(), log()).addTo(routes());
        new OutcomeRoutes(database(), wiring.clock(), log()).addTo(routes());
        OpenIntentRoutes.addHeartbeatTo(routes());
        warmUpWith(HeartbeatRoutes.WARM_UP);
    }
}
