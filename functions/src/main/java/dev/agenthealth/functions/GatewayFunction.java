package dev.agenthealth.functions;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.api.routes.WarmUpRequest;
import dev.agenthealth.functions.gateway.GatewayRoutes;
import dev.agenthealth.functions.gateway.mcp.McpRoutes;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/** Serves invocations of agents, their receipts, and MCP. */
public final class GatewayFunction extends HttpFunction {

    /** Lambda calls this constructor. */
    public GatewayFunction() {
        this(Wiring.fromEnvironment(), NameResolver.system(), SecureSockets.usual());
    }

    public GatewayFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usualWhenUsed());
    }

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public GatewayFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        super(wiring);
        GatewayRoutes gateway = new GatewayRoutes(wiring, database(), authenticator(), resolver, tls, log());
        gateway.addTo(routes());
        new McpRoutes(wiring, database(), gateway.invocations(), gateway.tasks(), new CommandQueue(wiring))
                .addTo(routes());
        warmUpWith(WarmUpRequest.withUnknownKey("GET /v1/receipts/{receipt_id}"), gateway.warmUp());
    }
}
