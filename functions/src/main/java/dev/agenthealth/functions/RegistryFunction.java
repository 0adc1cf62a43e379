package dev.agenthealth.functions;

import dev.agenthealth.functions.coordination.CoordinationRoutes;
import dev.agenthealth.functions.description.DescriptionRoutes;
import dev.agenthealth.functions.leases.LeaseQuota;
import dev.agenthealth.functions.leases.LeaseRoutes;
import dev.agenthealth.functions.openintent.OpenIntentRoutes;
import dev.agenthealth.functions.ping.PingRoutes;
import dev.agenthealth.functions.problems.ProblemRoutes;
import dev.agenthealth.functions.registry.AgentRoutes;
import dev.agenthealth.functions.routes.HttpFunction;
import dev.agenthealth.functions.routes.WarmUpRequest;
import dev.agenthealth.functions.silences.SilenceRoutes;
import dev.agenthealth.functions.wiring.Wiring;

/** Registration, discovery, status, commands, events and ping addresses of agents; problems, own silences, leases, workflows and pools; the description of the API. */
public final class RegistryFunction extends HttpFunction {

    /** For Lambda. */
    public RegistryFunction() {
        this(Wiring.fromEnvironment());
    }

    public RegistryFunction(Wiring wiring) {
        super(wiring);
        new AgentRoutes(wiring, database(), authenticator()).addTo(routes());
        LeaseQuota leases = new LeaseQuota(database(), wiring.clock());
        new LeaseRoutes(database(), leases, wiring.clock()).addTo(routes());
        new CoordinationRoutes(database(), wiring.clock()).addTo(routes());
        new PingRoutes(database(), authenticator(), wiring.clock()).addTo(routes());
        new ProblemRoutes(database(), wiring.clock(), log()).addTo(routes());
        new SilenceRoutes(wiring, database(), log()).addOwnTo(routes());
        new DescriptionRoutes().addTo(routes());
        new OpenIntentRoutes(wiring, database(), authenticator(), leases).addTo(routes());
        warmUpWith(WarmUpRequest.withUnknownKey("GET /api/v1/agents/{agent_id}"));
    }
}
