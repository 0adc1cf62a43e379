package dev.agenthealth.functions.registry;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.access.Access.PUBLIC;
import static dev.agenthealth.functions.api.routes.Route.Option.ALSO_HEAD;
import static dev.agenthealth.functions.api.routes.Route.Option.OWN_LIFE;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.commands.CommandQueue;
import dev.agenthealth.functions.runtime.http.AnswerItems;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.http.Paging;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import dev.agenthealth.model.registry.lifecycle.ProcessStart;
import java.time.Clock;

/** The routes of registration, discovery, records, profiles, statuses, commands and events of agents. */
public final class AgentRoutes {

    private final Registration registration;
    private final AgentAccess access;
    private final AgentRecords records;
    private final Listing listing;
    private final ProfileChanges profileChanges;
    private final StatusChanges statusChanges;
    private final Declarations declarations;
    private final Commands commands;
    private final EventLog eventLog;

    public AgentRoutes(Wiring wiring, Database database, Authenticator authenticator) {
        Clock clock = wiring.clock();
        this.records = new AgentRecords(wiring, database);
        this.access = new AgentAccess(new AgentStore(database));
        HeartbeatSchedule schedule = new HeartbeatSchedule(wiring.get(FunctionSettings.HEARTBEAT_STRETCH_PERCENT));
        this.registration = Registration.in(wiring, database, authenticator, wiring.log(), schedule);
        this.listing = new Listing(database, clock);
        this.profileChanges = new ProfileChanges(wiring, database, access, authenticator);
        this.statusChanges = new StatusChanges(database, clock);
        this.declarations = new Declarations(database);
        this.commands = new Commands(database, new CommandQueue(wiring));
        this.eventLog = new EventLog(EventStore.ofSystem(wiring, database), access, clock);
    }

    public void addTo(Routes routes) {
        routes.on(
                        "GET /api/v1/ping",
                        PUBLIC,
                        request -> ApiResponse.json(200, Json.object().put("status", "ok")),
                        ALSO_HEAD)
                .on("GET /api/v1/me", ANY_KEY, request -> ApiResponse.json(200, of(request.caller())))
                .on("POST /api/v1/agents", ANY_KEY, this::register, OWN_LIFE)
                .on("GET /api/v1/agents", ANY_KEY, this::list, QUERY)
                .on("GET /api/v1/agents/{agent_id}", AGENT, this::get)
                .on("PATCH /api/v1/agents/{agent_id}", AGENT, this::patchProfile)
                .on("DELETE /api/v1/agents/{agent_id}", AGENT, statusChanges::deregister, QUERY, OWN_LIFE)
                .on("PATCH /api/v1/agents/{agent_id}/status", AGENT, this::patchStatus, OWN_LIFE)
                .on("POST /api/v1/agents/{agent_id}/declaration/accept", ADMINISTRATOR, this::acceptDeclaration)
                .on("GET /api/v1/agents/{agent_id}/commands", AGENT, commands::list)
                .on("POST /api/v1/agents/{agent_id}/commands", AGENT, commands::queue)
                .on("DELETE /api/v1/agents/{agent_id}/commands/drain", AGENT, commands::withdrawDrain)
                .on("GET /api/v1/agents/{agent_id}/events", AGENT, eventLog::ofAgent, QUERY)
                .on("GET /api/v1/events", COORDINATOR, eventLog::ofSystem, QUERY);
    }

    /** Returns the JSON that shows a caller its own key. */
    private static ObjectNode of(Caller caller) {
        ObjectNode json = Json.object();
        json.put("key_id", caller.keyId());
        json.put("kind", caller.kind().wireName());
        json.put("name", caller.name());
        json.put("role", caller.role().wireName());
        caller.roleIds().stream().sorted().forEach(json.putArray("role_ids")::add);
        caller.endsAt().ifPresent(end -> json.put("ends_at", Timestamps.text(end)));
        return json;
    }

    private ApiResponse register(ApiRequest request) {
        Fields body = request.fields().withEmptyTexts();
        StoredAgent agent = registration.register(request.author(), body);
        ObjectNode json = records.json(agent);
        if (body.has("started_at") && !ProcessStart.isKnown(agent.pulse().startedAt())) {
            json.putArray(AgentRecordJson.WARNINGS)
                    .addObject()
                    .put("field", "started_at")
                    .put("message", ProcessStart.NOT_ACCEPTED);
        }
        return record(201, agent, json)
                .with(
                        "Location",
                        request.served()
                                .publicPath("/api/v1/agents/" + agent.pulse().agentId()));
    }

    private ApiResponse get(ApiRequest request) {
        return record(access.findWhole(request.caller(), request.pathId("agent_id")));
    }

    private ApiResponse patchProfile(ApiRequest request) {
        return record(profileChanges.patch(
                request.author(), request.pathId("agent_id"), request.preconditions(), request::fields));
    }

    private ApiResponse acceptDeclaration(ApiRequest request) {
        return record(declarations.accept(request.author(), request.pathId("agent_id"), request.fields()));
    }

    private ApiResponse patchStatus(ApiRequest request) {
        return record(statusChanges.patch(
                request.author(), request.pathId("agent_id"), request.preconditions(), request::fields));
    }

    private ApiResponse list(ApiRequest request) {
        Fields fields = request.queryFields();
        ListQuery query = ListQuery.of(fields);
        Paging paging = Paging.of(request, fields);
        fields.check();
        ObjectNode json = Json.object();
        ArrayNode statuses = json.putArray("status_filter");
        query.agents().statuses().stream().sorted().map(WireNamed::wireName).forEach(statuses::add);
        AnswerItems agents = new AnswerItems(json, "agents");
        Listing.End end =
                listing.page(request.caller(), query, paging.limit(), Cursor.ofText(paging.after()), agents::add);
        end.total().ifPresent(total -> json.put("total", total));
        PageToken.putNext(json, request, end.next());
        return ApiResponse.json(200, json);
    }

    private ApiResponse record(StoredAgent agent) {
        return record(200, agent, records.json(agent));
    }

    private static ApiResponse record(int status, StoredAgent agent, ObjectNode json) {
        return ApiResponse.json(status, json)
                .with("ETag", EntityTag.ofVersion(agent.pulse().version()).value());
    }
}
