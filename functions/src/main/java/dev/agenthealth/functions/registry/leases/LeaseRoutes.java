package dev.agenthealth.functions.registry.leases;

import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;
import static dev.agenthealth.functions.api.routes.Route.Option.READ_ONLY;

import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.leases.HeldLeases.Key;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.registry.lease.Lease;
import java.time.Clock;

/** The routes of leases on scopes of intents, and of the event logs of intents. */
public final class LeaseRoutes {

    private final LeaseGrants grants;
    private final HeldLeases held;
    private final LeaseLists lists;
    private final Clock clock;

    public LeaseRoutes(Database database, LeaseQuota quota, Clock clock, Log log) {
        this.grants = new LeaseGrants(database, quota, clock, log);
        this.held = new HeldLeases(database, quota, clock, log);
        this.lists = new LeaseLists(database, clock);
        this.clock = clock;
    }

    public void addTo(Routes routes) {
        routes.on("POST /api/v1/intents/{intent_id}/leases", ANY_KEY, this::acquire)
                .on("GET /api/v1/intents/{intent_id}/leases", ANY_KEY, lists::ofIntent, QUERY)
                .on("GET /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, this::get)
                .on("PATCH /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, this::renew)
                .on("DELETE /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, this::release)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/verify", ANY_KEY, this::verify, READ_ONLY)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/revoke", COORDINATOR, this::revoke)
                .on("GET /api/v1/intents/{intent_id}/events", ANY_KEY, lists::events, QUERY)
                .on("GET /api/v1/agents/{agent_id}/leases", AGENT, lists::ofAgent, QUERY);
    }

    private ApiResponse acquire(ApiRequest request) {
        LeaseGrants.Granted granted = grants.acquire(request.caller(), request.pathId("intent_id"), request.fields());
        return answer(granted.isNew() ? 201 : 200, granted.lease());
    }

    private ApiResponse get(ApiRequest request) {
        return answer(200, held.get(request.caller(), Key.of(request)));
    }

    private ApiResponse renew(ApiRequest request) {
        return answer(200, held.renew(request.caller(), Key.of(request), request.fields()));
    }

    private ApiResponse release(ApiRequest request) {
        held.release(request.caller(), Key.of(request));
        return ApiResponse.noContent();
    }

    private ApiResponse revoke(ApiRequest request) {
        return answer(200, held.revoke(request.caller(), Key.of(request)));
    }

    private ApiResponse verify(ApiRequest request) {
        Lease lease = held.verify(Key.of(request), request.fields());
        return ApiResponse.json(
                200, Json.object().put("valid", true).put("expires_at", Timestamps.text(lease.expiresAt())));
    }

    private ApiResponse answer(int status, Lease lease) {
        return ApiResponse.json(status, LeaseJson.of(lease, clock.instant()));
    }
}
