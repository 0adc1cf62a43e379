package dev.agenthealth.functions.leases;

import static dev.agenthealth.functions.access.Access.AGENT;
import static dev.agenthealth.functions.access.Access.ANY_KEY;
import static dev.agenthealth.functions.access.Access.COORDINATOR;
import static dev.agenthealth.functions.routes.Route.Option.QUERY;
import static dev.agenthealth.functions.routes.Route.Option.READ_ONLY;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import java.time.Clock;

/** Leases on the scopes of intents, and the event logs of intents. */
public final class LeaseRoutes {

    private final LeaseGrants grants;
    private final HeldLeases held;
    private final LeaseLists lists;

    public LeaseRoutes(Database database, Clock clock) {
        AgentAccess access = new AgentAccess(new AgentStore(database));
        this.grants = new LeaseGrants(
                new LeaseStore(database), new AgentStore(database), access, new DiscoveryStore(database), clock);
        this.held = new HeldLeases(new LeaseStore(database), new AgentStore(database), access, clock);
        this.lists = new LeaseLists(new LeaseStore(database), new EventStore(database), access, clock);
    }

    public void addTo(Routes routes) {
        routes.on("POST /api/v1/intents/{intent_id}/leases", ANY_KEY, grants::acquire)
                .on("GET /api/v1/intents/{intent_id}/leases", ANY_KEY, lists::ofIntent, QUERY)
                .on("GET /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, held::get)
                .on("PATCH /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, held::renew)
                .on("DELETE /api/v1/intents/{intent_id}/leases/{lease_id}", ANY_KEY, held::release)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/verify", ANY_KEY, held::verify, READ_ONLY)
                .on("POST /api/v1/intents/{intent_id}/leases/{lease_id}/revoke", COORDINATOR, held::revoke)
                .on("GET /api/v1/intents/{intent_id}/events", ANY_KEY, lists::events, QUERY)
                .on("GET /api/v1/agents/{agent_id}/leases", AGENT, lists::ofAgent, QUERY);
    }
}
