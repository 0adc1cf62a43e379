package dev.agenthealth.functions.registry.coordination;

import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR_OF_ALL_ROLES;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;

/** The routes of workflows and pools. */
public final class CoordinationRoutes {

    private final Workflows workflows;
    private final Pools pools;
    private final PoolVersions versions;

    public CoordinationRoutes(Database database, Clock clock) {
        this.workflows = new Workflows(database, clock);
        this.pools = new Pools(database, clock);
        this.versions = new PoolVersions(database, clock);
    }

    public void addTo(Routes routes) {
        routes.on("PUT /api/v1/workflows/{name}", COORDINATOR_OF_ALL_ROLES, workflows::put)
                .on("GET /api/v1/workflows/{name}", COORDINATOR, workflows::get)
                .on("DELETE /api/v1/workflows/{name}", COORDINATOR_OF_ALL_ROLES, workflows::delete)
                .on("GET /api/v1/workflows", COORDINATOR, workflows::page, QUERY)
                .on("GET /api/v1/pools/{role_id}", COORDINATOR, pools::get, QUERY)
                .on("GET /api/v1/pools/{role_id}/versions", COORDINATOR, versions::get, QUERY)
                .on("GET /api/v1/pools", COORDINATOR, pools::page, QUERY);
    }
}
