package dev.agenthealth.functions;

import dev.agenthealth.functions.api.description.DescriptionRoutes;
import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.api.routes.WarmUpRequest;
import dev.agenthealth.functions.operations.problems.ProblemRoutes;
import dev.agenthealth.functions.operations.silences.SilenceRoutes;
import dev.agenthealth.functions.registry.AgentRoutes;
import dev.agenthealth.functions.registry.coordination.CoordinationRoutes;
import dev.agenthealth.functions.registry.leases.LeaseQuota;
import dev.agenthealth.functions.registry.leases.LeaseRoutes;
import dev.agenthealth.functions.registry.openintent.OpenIntentRoutes;
import dev.agenthealth.functions.registry.ping.PingRoutes;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/**
 * Serves registration, discovery, status, commands, events and ping addresses of agents; problems, silences of agents, leases, workflows
 * and pools; and the description of the API.
 */
public final class RegistryFunction extends HttpFunction {

    /** Lambda calls this constructor. */
    public RegistryFunction() {
        this(Wiring.fromEnvironment());
    }

    public RegistryFunction(Wiring wiring) {
        super(wiring);
        new AgentRoutes(wiring, database(), authenticator()).addTo(routes());
        LeaseQuota leases = wiring.process().shared(LeaseQuota.class, () -> new LeaseQuota(database(), wiring.clock()));
        new LeaseRoutes(database(), leases, wiring.clock(), log()).addTo(routes());
        new CoordinationRoutes(database(), wiring.clock()).addTo(routes());
        new PingRoutes(database(), authenticator(), wiring.clock()).addTo(routes());
        new ProblemRoutes(database(), wiring.clock(), log()).addTo(routes());
        new SilenceRoutes(wiring, database(), log()).addOwnTo(routes());
        new DescriptionRoutes().addTo(routes());
        new OpenIntentRoutes(wiring, database(), authenticator(), leases).addTo(routes());
        warmUpWith(WarmUpRequest.withUnknownKey("GET /api/v1/agents/{agent_id}"));
    }
}
