package dev.agenthealth.functions.registry;

import static dev.agenthealth.functions.access.Access.AGENT;
import static dev.agenthealth.functions.access.Access.ANY_KEY;
import static dev.agenthealth.functions.access.Access.COORDINATOR;
import static dev.agenthealth.functions.access.Access.PUBLIC;
import static dev.agenthealth.functions.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.EntityTag;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lease.LeaseRule;
import dev.agenthealth.model.lifecycle.Pulse;
import java.time.Clock;
import java.util.List;

/** Registration, discovery, records, profile, status, commands and events of agents. */
public final class AgentRoutes {

    private final Registration registration;
    private final AgentAccess access;
    private final LeaseStore leases;
    private final Clock clock;
    private final Listing listing;
    private final ProfileChanges profileChanges;
    private final StatusChanges statusChanges;
    private final Commands commands;
    private final EventLog eventLog;

    /** Where heartbeats go instead of the API; empty where they go there. */
    private final String heartbeatOrigin;

    public AgentRoutes(Wiring wiring, Database database, Authenticator authenticator) {
        this.clock = wiring.clock();
        this.leases = new LeaseStore(database);
        this.access = new AgentAccess(new AgentStore(database));
        this.registration = Registration.in(database, authenticator, clock, wiring.log());
        this.listing = new Listing(database, clock);
        this.profileChanges = new ProfileChanges(database, access, authenticator, clock, wiring.log());
        this.statusChanges = new StatusChanges(database, access, clock);
        this.commands = new Commands(new AgentStore(database), access);
        this.eventLog = new EventLog(new EventStore(database), access, clock);
        this.heartbeatOrigin = wiring.origin("HEARTBEAT_URL");
    }

    public void addTo(Routes routes) {
        routes.on(
                        "GET /api/v1/ping",
                        PUBLIC,
                        request -> ApiResponse.json(200, Json.object().put("status", "ok")))
                .on("GET /api/v1/me", ANY_KEY, request -> ApiResponse.json(200, of(request.caller())))
                .on("POST /api/v1/agents", ANY_KEY, this::register)
                .on("GET /api/v1/agents", ANY_KEY, listing::page, QUERY)
                .on("GET /api/v1/agents/{agent_id}", AGENT, this::get)
                .on("PATCH /api/v1/agents/{agent_id}", AGENT, this::patchProfile)
                .on("DELETE /api/v1/agents/{agent_id}", AGENT, statusChanges::deregister, QUERY)
                .on("PATCH /api/v1/agents/{agent_id}/status", AGENT, this::patchStatus)
                .on("GET /api/v1/agents/{agent_id}/commands", AGENT, commands::list)
                .on("POST /api/v1/agents/{agent_id}/commands", AGENT, commands::queue)
                .on("DELETE /api/v1/agents/{agent_id}/commands/drain", AGENT, commands::withdrawDrain)
                .on("GET /api/v1/agents/{agent_id}/events", AGENT, eventLog::ofAgent, QUERY)
                .on("GET /api/v1/events", COORDINATOR, eventLog::ofSystem, QUERY);
    }

    /** Shows a key to its holder. */
    private static ObjectNode of(Caller caller) {
        ObjectNode json = Json.object();
        json.put("key_id", caller.keyId());
        json.put("role", caller.role().wireName());
        caller.roleIds().stream().sorted().forEach(json.putArray("role_ids")::add);
        return json;
    }

    private ApiResponse register(ApiRequest request) {
        StoredAgent agent = registration.register(request.caller(), request.fields());
        return record(201, agent)
                .with("Location", "/api/v1/agents/" + agent.pulse().agentId());
    }

    private ApiResponse get(ApiRequest request) {
        return record(200, access.find(request.caller(), request.pathId("agent_id")));
    }

    private ApiResponse patchProfile(ApiRequest request) {
        return record(200, profileChanges.patch(request));
    }

    private ApiResponse patchStatus(ApiRequest request) {
        return record(200, statusChanges.patch(request));
    }

    /** The leases are read only where there are tasks to compare them with. */
    private List<String> unleasedTasks(StoredAgent agent) {
        Pulse pulse = agent.pulse();
        boolean mayHold = !agent.tasks().isEmpty() && LeaseRule.mayHold(pulse.status());
        return LeaseRule.unleased(agent.tasks(), mayHold ? leases.inForce(pulse, clock.instant()) : List.of());
    }

    private ApiResponse record(int status, StoredAgent agent) {
        ObjectNode json = AgentRecordJson.full(agent, unleasedTasks(agent));
        if (!heartbeatOrigin.isEmpty()) {
            json.put(
                    AgentRecordJson.HEARTBEAT_URL,
                    heartbeatOrigin + "/api/v1/agents/" + agent.pulse().agentId() + "/heartbeat");
        }
        return ApiResponse.json(status, json)
                .with("ETag", EntityTag.ofVersion(agent.pulse().version()).value());
    }
}
