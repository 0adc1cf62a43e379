package dev.agenthealth.functions.leases;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lease.Lease;
import java.time.Clock;

/** Leases on the scopes of intents, and the intents' event logs. */
public final class LeaseFunction extends HttpFunction {

    private static final String AGENT_ID = "agent_id";
    private static final String INTENT_ID = "intent_id";
    private static final String LEASE_ID = "lease_id";

    private final Authenticator authenticator;
    private final LeaseGrants grants;
    private final HeldLeases held;
    private final LeaseLists lists;
    private final RouteTable routes;
    private final Clock clock;

    /** For Lambda. */
    public LeaseFunction() {
        this(Wiring.fromEnvironment());
    }

    public LeaseFunction(Wiring wiring) {
        super(wiring, wiring.log());
        this.clock = wiring.clock();
        Stores stores = Stores.of(wiring);
        LeaseStore leases = stores.leases();
        AgentAccess access = new AgentAccess(stores.agents());
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.grants = new LeaseGrants(leases, access, stores.owners(), clock);
        this.held = new HeldLeases(leases, stores.agents(), access, clock);
        this.lists = new LeaseLists(leases, stores.events(), access, clock);
        this.routes = new RouteTable()
                .on("POST /api/v1/intents/{intent_id}/leases", this::acquire)
                .on("GET /api/v1/intents/{intent_id}/leases", this::listOfIntent)
                .on("PATCH /api/v1/intents/{intent_id}/leases/{lease_id}", this::renew)
                .on("DELETE /api/v1/intents/{intent_id}/leases/{lease_id}", this::release)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/verify", this::verify)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/revoke", this::revoke)
                .on("GET /api/v1/intents/{intent_id}/events", this::events)
                .on("GET /api/v1/agents/{agent_id}/leases", this::listOfAgent);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("GET /api/v1/agents/{agent_id}/leases");
    }

    private ApiResponse acquire(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        LeaseGrants.Grant grant = grants.acquire(caller, request.pathId(INTENT_ID), request.fields());
        return shown(grant.fresh() ? 201 : 200, grant.lease());
    }

    private ApiResponse renew(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return shown(200, held.renew(caller, request.pathId(INTENT_ID), request.pathId(LEASE_ID), request.fields()));
    }

    private ApiResponse release(ApiRequest request) {
        held.release(authenticator.caller(request), request.pathId(INTENT_ID), request.pathId(LEASE_ID));
        return ApiResponse.noContent();
    }

    private ApiResponse revoke(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return shown(200, held.revoke(caller, request.pathId(INTENT_ID), request.pathId(LEASE_ID)));
    }

    private ApiResponse verify(ApiRequest request) {
        authenticator.caller(request);
        Lease lease = held.verify(request.pathId(INTENT_ID), request.pathId(LEASE_ID), request.fields());
        ObjectNode json = Json.object();
        json.put("valid", true);
        json.put("expires_at", lease.expiresAt().toString());
        return ApiResponse.json(200, json);
    }

    private ApiResponse listOfIntent(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return ApiResponse.json(200, lists.ofIntent(caller, request.pathId(INTENT_ID), request));
    }

    private ApiResponse listOfAgent(ApiRequest request) {
        return ApiResponse.json(200, lists.ofAgent(authenticator.caller(request), request.pathId(AGENT_ID), request));
    }

    private ApiResponse events(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return ApiResponse.json(200, lists.events(caller, request.pathId(INTENT_ID), request));
    }

    private ApiResponse shown(int status, Lease lease) {
        return ApiResponse.json(status, LeaseJson.of(lease, clock.instant()));
    }
}
