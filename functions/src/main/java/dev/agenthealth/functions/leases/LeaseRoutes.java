package dev.agenthealth.functions.leases;

import static dev.agenthealth.functions.access.Access.AGENT;
import static dev.agenthealth.functions.access.Access.ANY_KEY;
import static dev.agenthealth.functions.access.Access.COORDINATOR;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.model.lease.Lease;
import java.time.Clock;

/** Leases on the scopes of intents, and the event logs of intents. */
public final class LeaseRoutes {

    private static final String INTENT_ID = "intent_id";
    private static final String LEASE_ID = "lease_id";

    private final LeaseGrants grants;
    private final HeldLeases held;
    private final LeaseLists lists;
    private final Clock clock;

    public LeaseRoutes(Stores stores, Clock clock) {
        AgentAccess access = new AgentAccess(stores.agents());
        this.grants = new LeaseGrants(stores.leases(), access, stores.discovery(), clock);
        this.held = new HeldLeases(stores.leases(), stores.agents(), access, clock);
        this.lists = new LeaseLists(stores.leases(), stores.events(), access, clock);
        this.clock = clock;
    }

    public void addTo(Routes routes) {
        routes.on("POST /api/v1/intents/{intent_id}/leases", ANY_KEY, this::acquire)
                .on("GET /api/v1/intents/{intent_id}/leases", ANY_KEY, this::listOfIntent)
                .on("PATCH /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, this::renew)
                .on("DELETE /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, this::release)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/verify", ANY_KEY, this::verify)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/revoke", COORDINATOR, this::revoke)
                .on("GET /api/v1/intents/{intent_id}/events", ANY_KEY, this::events)
                .on("GET /api/v1/agents/{agent_id}/leases", AGENT, this::listOfAgent);
    }

    private ApiResponse acquire(ApiRequest request) {
        LeaseGrants.Grant grant = grants.acquire(request.caller(), request.pathId(INTENT_ID), request.fields());
        return shown(grant.fresh() ? 201 : 200, grant.lease());
    }

    private ApiResponse renew(ApiRequest request) {
        return shown(
                200,
                held.renew(request.caller(), request.pathId(INTENT_ID), request.pathId(LEASE_ID), request.fields()));
    }

    private ApiResponse release(ApiRequest request) {
        held.release(request.caller(), request.pathId(INTENT_ID), request.pathId(LEASE_ID));
        return ApiResponse.noContent();
    }

    private ApiResponse revoke(ApiRequest request) {
        return shown(200, held.revoke(request.caller(), request.pathId(INTENT_ID), request.pathId(LEASE_ID)));
    }

    private ApiResponse verify(ApiRequest request) {
        Lease lease = held.verify(request.pathId(INTENT_ID), request.pathId(LEASE_ID), request.fields());
        return ApiResponse.json(
                200,
                Json.object()
                        .put("valid", true)
                        .put("expires_at", lease.expiresAt().toString()));
    }

    private ApiResponse listOfIntent(ApiRequest request) {
        return ApiResponse.json(200, lists.ofIntent(request.pathId(INTENT_ID), request));
    }

    private ApiResponse listOfAgent(ApiRequest request) {
        return ApiResponse.json(200, lists.ofAgent(request.pathId("agent_id"), request));
    }

    private ApiResponse events(ApiRequest request) {
        return ApiResponse.json(200, lists.events(request.pathId(INTENT_ID), request));
    }

    private ApiResponse shown(int status, Lease lease) {
        return ApiResponse.json(status, LeaseJson.of(lease, clock.instant()));
    }
}
