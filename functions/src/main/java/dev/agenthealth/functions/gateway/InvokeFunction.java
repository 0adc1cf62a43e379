package dev.agenthealth.functions.gateway;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.outbound.NameResolver;
import dev.agenthealth.functions.outbound.SecureSockets;
import dev.agenthealth.functions.snapshot.Priming;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.invocations.IdempotentRequest;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;

/** Invocations of agents, waited for or not, and their receipts. */
public final class InvokeFunction extends HttpFunction {

    private final Authenticator authenticator;
    private final CallerLimits limits;
    private final SyncInvocations sync;
    private final AsyncInvocations async;
    private final Receipts receipts;
    private final RouteTable routes;

    /** Kept, as the runtime would forget it. */
    private final Priming priming;

    /** For Lambda. */
    public InvokeFunction() {
        this(Wiring.fromEnvironment());
    }

    public InvokeFunction(Wiring wiring) {
        this(wiring, NameResolver.system(), SecureSockets.usual());
    }

    /**
     * @param resolver finds the addresses of agents
     * @param tls makes connections to them secure
     */
    public InvokeFunction(Wiring wiring, NameResolver resolver, SecureSockets tls) {
        this(wiring, resolver, tls, wiring.log());
    }

    private InvokeFunction(Wiring wiring, NameResolver resolver, SecureSockets tls, Log log) {
        super(wiring, log);
        Stores stores = Stores.of(wiring);
        Gateway gateway = new Gateway(wiring, resolver, tls, log);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.limits =
                new CallerLimits(stores.callerLimits(), stores.callerLimit(ConfigurationStore.callerLimitSeed(wiring)));
        this.sync = gateway.sync();
        this.async = gateway.async(new SqsInvocationQueue(wiring));
        this.priming = Priming.registered(wiring, log, gateway.rehearsedCall());
        this.receipts = new Receipts(stores.receipts());
        this.routes = new RouteTable()
                .on("POST /v1/agents/{agent_id}/invoke", this::invoke)
                .on("POST /v1/agents/{agent_id}/invoke-async", this::invokeAsync)
                .on("GET /v1/receipts/{receipt_id}", this::receipt);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("GET /v1/receipts/{receipt_id}");
    }

    @Override
    protected boolean isFrequent(ApiRequest request) {
        return true;
    }

    private ApiResponse invoke(ApiRequest request) {
        Caller caller = limited(request);
        String agentId = request.pathId("agent_id");
        InvocationRequest wanted = InvocationRequest.waitedFor(request.fields());
        IdempotentRequest recognisedBy = IdempotentRequests.of(request, caller, agentId, wanted);
        return ApiResponse.json(200, sync.invoke(caller, agentId, wanted, recognisedBy));
    }

    private ApiResponse invokeAsync(ApiRequest request) {
        Caller caller = limited(request);
        String agentId = request.pathId("agent_id");
        InvocationRequest wanted = InvocationRequest.notWaitedFor(request.fields());
        IdempotentRequest recognisedBy = IdempotentRequests.of(request, caller, agentId, wanted);
        return ApiResponse.json(202, async.accept(caller, agentId, wanted, recognisedBy));
    }

    private ApiResponse receipt(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return ApiResponse.json(200, receipts.show(caller, request.pathId("receipt_id")));
    }

    private Caller limited(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        limits.take(caller);
        return caller;
    }
}
