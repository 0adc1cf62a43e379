package dev.agenthealth.functions.gateway;

import static dev.agenthealth.functions.access.Access.ANY_KEY;
import static dev.agenthealth.functions.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.wiring.Wiring;

/** Synchronous and asynchronous invocations of agents, and their receipts. */
public final class GatewayRoutes {

    private static final String AGENT_ID = "agent_id";

    private final CallerLimits limits;
    private final SyncInvocations sync;
    private final AsyncInvocations async;
    private final ReceiptLookup receipts;
    private final Priming.Part warmUp;

    /**
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public GatewayRoutes(Wiring wiring, Stores stores, NameResolver resolver, SecureSockets tls, Log log) {
        Gateway gateway = new Gateway(wiring, stores, resolver, tls, log);
        this.limits =
                new CallerLimits(stores.callerLimits(), stores.callerLimit(ConfigurationStore.callerLimitSeed(wiring)));
        this.sync = gateway.sync();
        this.async = gateway.async(new InvocationQueue(wiring));
        this.receipts = new ReceiptLookup(stores.receipts());
        this.warmUp = gateway.callPriming();
    }

    public void addTo(Routes routes) {
        routes.on("POST /v1/agents/{agent_id}/invoke", ANY_KEY, this::invoke, SAMPLED)
                .on("POST /v1/agents/{agent_id}/invoke-async", ANY_KEY, this::invokeAsync, SAMPLED)
                .on("GET /v1/receipts/{receipt_id}", ANY_KEY, this::receipt, SAMPLED);
    }

    /** Loads what the first call of an agent needs. */
    public Priming.Part warmUp() {
        return warmUp;
    }

    private ApiResponse invoke(ApiRequest request) {
        limits.take(request.caller());
        String agentId = request.pathId(AGENT_ID);
        InvocationRequest wanted = InvocationRequest.synchronous(request.fields());
        IdempotentRequest identity = IdempotencyRecords.identify(request, request.caller(), agentId, wanted);
        return ApiResponse.json(200, sync.invoke(request.caller(), agentId, wanted, identity));
    }

    private ApiResponse invokeAsync(ApiRequest request) {
        limits.take(request.caller());
        String agentId = request.pathId(AGENT_ID);
        InvocationRequest wanted = InvocationRequest.asynchronous(request.fields());
        IdempotentRequest identity = IdempotencyRecords.identify(request, request.caller(), agentId, wanted);
        return ApiResponse.json(202, async.accept(request.caller(), agentId, wanted, identity));
    }

    private ApiResponse receipt(ApiRequest request) {
        return ApiResponse.json(200, receipts.show(request.caller(), request.pathId("receipt_id")));
    }
}
