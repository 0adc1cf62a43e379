package dev.agenthealth.functions.gateway;

import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.access.Access.OWNER;
import static dev.agenthealth.functions.api.access.Access.PUBLIC;
import static dev.agenthealth.functions.api.routes.Route.Option.CALLS;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.outbound.NameResolver;
import dev.agenthealth.functions.runtime.outbound.SecureSockets;
import dev.agenthealth.functions.runtime.snapshot.Priming;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.invocations.ReceiptStore;
import dev.agenthealth.functions.storage.system.CachedConfiguration;

/** The routes of invocations, synchronous, asynchronous and over A2A, and of their receipts. */
public final class GatewayRoutes {

    private static final String PUSH_CONFIGS = "/a2a/agents/{agent_id}/tasks/{task}/pushNotificationConfigs";

    private final SyncInvocations sync;
    private final AsyncInvocations async;
    private final A2aFront a2a;
    private final A2aHttp a2aHttp;
    private final InvocationTasks tasks;
    private final PushReception reception;
    private final CredentialAdministration credentials;
    private final ReceiptLookup receipts;
    private final Priming.Part warmUp;

    /**
     * @param authenticator finds the keys that wait for notifications
     * @param resolver resolves the host names of agents
     * @param tls secures the connections to them
     */
    public GatewayRoutes(
            Wiring wiring,
            Database database,
            Authenticator authenticator,
            NameResolver resolver,
            SecureSockets tls,
            Log log) {
        Gateway gateway = new Gateway(wiring, database, resolver, tls, log);
        CallGuard guard = gateway.guard(wiring, new CachedConfiguration(database));
        this.sync = gateway.sync(guard);
        this.a2a = gateway.a2a(sync, guard);
        this.a2aHttp = new A2aHttp(a2a);
        this.credentials = gateway.credentials();
        InvocationQueue queue = new InvocationQueue(wiring);
        this.async = gateway.async(guard, queue);
        this.tasks = gateway.tasks(guard, async);
        this.reception = gateway.reception(authenticator, queue);
        this.receipts = new ReceiptLookup(new ReceiptStore(database));
        this.warmUp = gateway.callPriming();
    }

    public void addTo(Routes routes) {
        routes.on("POST /v1/agents/{agent_id}/invoke", ANY_KEY, this::invoke, SAMPLED, CALLS)
                .on("POST /v1/agents/{agent_id}/invoke-async", ANY_KEY, this::invokeAsync, SAMPLED, CALLS)
                .on("POST /a2a/agents/{agent_id}", ANY_KEY, a2a::answer, SAMPLED, CALLS, QUERY)
                .on("POST /a2a/agents/{agent_id}/{operation}", ANY_KEY, a2aHttp::message, SAMPLED, CALLS, QUERY)
                .on("GET /a2a/agents/{agent_id}/tasks", ANY_KEY, a2aHttp::list, SAMPLED, CALLS, QUERY)
                .on("GET /a2a/agents/{agent_id}/tasks/{task}", ANY_KEY, a2aHttp::task, SAMPLED, CALLS, QUERY)
                .on("POST /a2a/agents/{agent_id}/tasks/{task}", ANY_KEY, a2aHttp::task, SAMPLED, CALLS, QUERY)
                .on("POST " + PUSH_CONFIGS, ANY_KEY, a2aHttp::createPush, SAMPLED, CALLS, QUERY)
                .on("GET " + PUSH_CONFIGS, ANY_KEY, a2aHttp::listPushes, SAMPLED, CALLS, QUERY)
                .on("GET " + PUSH_CONFIGS + "/{config_id}", ANY_KEY, a2aHttp::getPush, SAMPLED, CALLS, QUERY)
                .on("DELETE " + PUSH_CONFIGS + "/{config_id}", ANY_KEY, a2aHttp::deletePush, SAMPLED, CALLS, QUERY)
                .on("POST /a2a/agents/{agent_id}/notifications/{push_id}", PUBLIC, reception::receive, SAMPLED)
                .on(
                        "GET /a2a/agents/{agent_id}/extendedAgentCard",
                        ANY_KEY,
                        a2aHttp::extendedCard,
                        SAMPLED,
                        CALLS,
                        QUERY)
                .on("PUT /v1/agents/{agent_id}/credential", OWNER, credentials::set)
                .on("GET /v1/agents/{agent_id}/credential", OWNER, credentials::show)
                .on("DELETE /v1/agents/{agent_id}/credential", OWNER, credentials::remove)
                .on("GET /v1/receipts/{receipt_id}", ANY_KEY, this::receipt, SAMPLED);
    }

    /** Returns the service behind the route of synchronous invocations. */
    public SyncInvocations invocations() {
        return sync;
    }

    /** Returns the asynchronous invocations that their callers follow. */
    public InvocationTasks tasks() {
        return tasks;
    }

    /** Loads everything that the first call of an agent needs. */
    public Priming.Part warmUp() {
        return warmUp;
    }

    private ApiResponse invoke(ApiRequest request) {
        return ApiResponse.json(200, sync.invoke(InvocationRequest.synchronous(request)));
    }

    private ApiResponse invokeAsync(ApiRequest request) {
        return ApiResponse.json(202, async.accept(InvocationRequest.asynchronous(request)));
    }

    private ApiResponse receipt(ApiRequest request) {
        return ApiResponse.json(200, receipts.show(request.caller(), request.pathId("receipt_id")));
    }
}
