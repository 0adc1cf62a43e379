package dev.agenthealth.functions;

import dev.agenthealth.functions.gateway.GatewayRoutes;
import dev.agenthealth.functions.health.HealthRoutes;
import dev.agenthealth.functions.mcp.ApiCalls;
import dev.agenthealth.functions.mcp.McpRoutes;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.registry.AgentRoutes;
import dev.agenthealth.functions.routes.HttpFunction;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.routes.WarmUpRequest;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.trust.TrustRoutes;
import dev.agenthealth.functions.wiring.Wiring;

/** Invocations of agents and their receipts, and MCP. */
public final class GatewayFunction extends HttpFunction {

    /** For Lambda. */
    public GatewayFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public GatewayFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver finds the addresses of agents
     * @param tls makes connections to them secure
     */
    public GatewayFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        super(wiring);
        GatewayRoutes gateway = new GatewayRoutes(wiring, database(), resolver, tls, log());
        gateway.addTo(routes());
        ApiCalls ofTools = new ApiCalls(ofTools(wiring, gateway), authenticator(), gateway::refusal);
        new McpRoutes(ofTools, new AgentStore(database())).addTo(routes());
        warmUpWith(WarmUpRequest.withUnknownKey("GET /v1/receipts/{receipt_id}"), gateway.warmUp());
    }

    /** The routes by which the tools of MCP answer; called directly, most of them are answered by other functions. */
    private Routes ofTools(Wiring wiring, GatewayRoutes gateway) {
        Routes tools = new Routes();
        gateway.addTo(tools);
        new AgentRoutes(wiring, database(), authenticator()).addTo(tools);
        new HealthRoutes(database(), wiring.clock()).addTo(tools);
        new TrustRoutes(wiring, database(), log()).addReadsTo(tools);
        return tools;
    }
}
