package dev.agenthealth.functions.availability;

import static dev.agenthealth.functions.access.Access.AGENT;
import static dev.agenthealth.functions.routes.Route.Option.QUERY;

import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;

/** The availability of agents. */
public final class AvailabilityRoutes {

    private final AgentAvailability agents;

    public AvailabilityRoutes(Database database, Clock clock) {
        this.agents = new AgentAvailability(database, clock);
    }

    public void addTo(Routes routes) {
        routes.on("GET /api/v1/agents/{agent_id}/availability", AGENT, agents::answer, QUERY);
    }
}
