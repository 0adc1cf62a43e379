package dev.agenthealth.functions.health.availability;

import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR_OF_ALL_ROLES;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;

/** The routes of the availability of agents, roles and the fleet, and of the past counts of the fleet. */
public final class AvailabilityRoutes {

    private final AgentAvailability agents;
    private final GroupAvailabilities groups;
    private final FleetPoints points;

    public AvailabilityRoutes(Database database, Clock clock) {
        this.agents = new AgentAvailability(database, clock);
        this.groups = new GroupAvailabilities(database, clock);
        this.points = new FleetPoints(database, clock);
    }

    public void addTo(Routes routes) {
        routes.on("GET /api/v1/agents/{agent_id}/availability", AGENT, agents::answer, QUERY)
                .on("GET /api/v1/pools/{role_id}/availability", COORDINATOR, groups::ofRole, QUERY)
                .on("GET /api/v1/health/availability", COORDINATOR_OF_ALL_ROLES, groups::ofFleet, QUERY)
                .on("GET /api/v1/health/history", COORDINATOR_OF_ALL_ROLES, points::answer, QUERY);
    }
}
