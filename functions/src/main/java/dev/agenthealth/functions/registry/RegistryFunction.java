package dev.agenthealth.functions.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.leases.LeaseCleanUp;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.system.ConfigurationStore;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import java.time.Clock;

/** Registration, discovery, records, profile, status and events of agents. */
public final class RegistryFunction extends HttpFunction {

    private static final String AGENT_ID = "agent_id";

    private final Authenticator authenticator;
    private final Registration registration;
    private final AgentAccess access;
    private final Listing listing;
    private final ProfileChanges profileChanges;
    private final StatusChanges statusChanges;
    private final Commands commands;
    private final EventLog eventLog;
    private final RouteTable routes;

    /** For Lambda. */
    public RegistryFunction() {
        this(Wiring.fromEnvironment());
    }

    public RegistryFunction(Wiring wiring) {
        super(wiring, wiring.log());
        Stores stores = Stores.of(wiring);
        Clock clock = wiring.clock();
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.access = new AgentAccess(stores.agents());
        DefaultWindow defaultWindow =
                new DefaultWindow(stores.defaultWindow(ConfigurationStore.defaultWindowSeed(wiring)));
        this.registration = new Registration(stores, defaultWindow, authenticator, clock);
        this.listing = new Listing(stores.discovery());
        this.profileChanges = new ProfileChanges(stores, access, clock);
        this.statusChanges =
                new StatusChanges(stores.agents(), access, stores.leases(), new LeaseCleanUp(stores.leases()), clock);
        this.commands = new Commands(stores.agents(), access);
        this.eventLog = new EventLog(stores.events(), access, clock);
        this.routes = new RouteTable()
                .on("GET /ping", request -> ping())
                .on("POST /api/v1/agents", this::register)
                .on("GET /api/v1/agents", this::list)
                .on("GET /api/v1/agents/{agent_id}", this::get)
                .on("PATCH /api/v1/agents/{agent_id}", this::patchProfile)
                .on("DELETE /api/v1/agents/{agent_id}", this::deregister)
                .on("PATCH /api/v1/agents/{agent_id}/status", this::patchStatus)
                .on("POST /api/v1/agents/{agent_id}/commands", this::queueCommand)
                .on("GET /api/v1/agents/{agent_id}/events", this::agentEvents)
                .on("GET /api/v1/events", this::systemEvents);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("GET /api/v1/agents/{agent_id}");
    }

    private static ApiResponse ping() {
        ObjectNode json = Json.object();
        json.put("status", "ok");
        return ApiResponse.json(200, json);
    }

    private ApiResponse register(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        StoredAgent agent = registration.register(caller, request.fields());
        return record(201, agent)
                .with("Location", "/api/v1/agents/" + agent.pulse().agentId());
    }

    private ApiResponse list(ApiRequest request) {
        return ApiResponse.json(200, listing.page(authenticator.caller(request), request));
    }

    private ApiResponse get(ApiRequest request) {
        return record(200, access.find(authenticator.caller(request), request.pathId(AGENT_ID)));
    }

    private ApiResponse patchProfile(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return record(200, profileChanges.patch(caller, request.pathId(AGENT_ID), request));
    }

    private ApiResponse patchStatus(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return record(200, statusChanges.patch(caller, request.pathId(AGENT_ID), request));
    }

    private ApiResponse deregister(ApiRequest request) {
        statusChanges.deregister(authenticator.caller(request), request.pathId(AGENT_ID));
        return ApiResponse.noContent();
    }

    private ApiResponse queueCommand(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return ApiResponse.json(202, commands.queue(caller, request.pathId(AGENT_ID), request.fields()));
    }

    private ApiResponse agentEvents(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return ApiResponse.json(200, eventLog.ofAgent(caller, request.pathId(AGENT_ID), request));
    }

    private ApiResponse systemEvents(ApiRequest request) {
        return ApiResponse.json(200, eventLog.ofSystem(authenticator.caller(request), request));
    }

    private static ApiResponse record(int status, StoredAgent agent) {
        return ApiResponse.json(status, AgentRecordJson.full(agent))
                .with("ETag", ApiResponse.etag(agent.pulse().version()));
    }
}
