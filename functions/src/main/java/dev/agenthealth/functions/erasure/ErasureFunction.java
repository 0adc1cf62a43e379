package dev.agenthealth.functions.erasure;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;

/** Erases what the registry holds about an agent, for administrators. */
public final class ErasureFunction extends HttpFunction {

    private final Authenticator authenticator;
    private final AgentErasure erasure;
    private final RouteTable routes;

    /** For Lambda. */
    public ErasureFunction() {
        this(Wiring.fromEnvironment());
    }

    public ErasureFunction(Wiring wiring) {
        this(wiring, wiring.log());
    }

    private ErasureFunction(Wiring wiring, Log log) {
        super(wiring, log);
        Stores stores = Stores.of(wiring);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.erasure = new AgentErasure(stores.agents(), stores.erasures(), wiring.clock(), log);
        this.routes = new RouteTable().on("DELETE /v1/admin/agents/{agent_id}", this::erase);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("DELETE /v1/admin/agents/{agent_id}");
    }

    private ApiResponse erase(ApiRequest request) {
        Caller administrator = authenticator.administrator(request);
        return erasure.erase(administrator, request.pathId("agent_id"));
    }
}
