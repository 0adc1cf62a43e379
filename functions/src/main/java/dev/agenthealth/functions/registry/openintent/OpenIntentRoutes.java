package dev.agenthealth.functions.registry.openintent;

import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.ANY_KEY;
import static dev.agenthealth.functions.api.routes.Route.Option.OWN_LIFE;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.AgentRecords;
import dev.agenthealth.functions.registry.ListQuery;
import dev.agenthealth.functions.registry.Listing;
import dev.agenthealth.functions.registry.Registration;
import dev.agenthealth.functions.registry.StatusChanges;
import dev.agenthealth.functions.registry.leases.HeldLeases;
import dev.agenthealth.functions.registry.leases.LeaseGrants;
import dev.agenthealth.functions.registry.leases.LeaseJson;
import dev.agenthealth.functions.registry.leases.LeaseLists;
import dev.agenthealth.functions.registry.leases.LeaseQuota;
import dev.agenthealth.functions.runtime.http.AnswerItems;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.EntityTag;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Preconditions;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.DiscoveryStore.Cursor;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.events.EventStore;
import dev.agenthealth.functions.storage.leases.LeaseStore;
import dev.agenthealth.model.registry.lease.Lease;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The routes of agents and leases for OpenIntent's published SDK, which it calls with {@code base_url=".../openintent"}. Thread-safe. */
public final class OpenIntentRoutes {

    private static final String AGENTS = OpenIntent.API + "/agents";
    private static final String INTENT = OpenIntent.API + "/intents/{intent_id}";

    /** The maximum number of items. The SDK does not read further pages. */
    private static final int MAX_ITEMS = 1_000;

    private static final int DEFAULT_EVENTS = 100;

    private static final String LIMIT = "limit";
    private static final String LIVE = "registering,active,draining,unhealthy";

    private static final Pattern ZONE = Pattern.compile(".*(Z|[+ -]\\d\\d:?\\d\\d)");

    private final Registration registration;
    private final AgentAccess access;
    private final AgentRecords records;
    private final Listing listing;
    private final StatusChanges statusChanges;
    private final LeaseGrants grants;
    private final HeldLeases held;
    private final LeaseStore leases;
    private final EventStore events;
    private final Clock clock;

    public OpenIntentRoutes(Wiring wiring, Database database, Authenticator authenticator, LeaseQuota quota) {
        this.clock = wiring.clock();
        this.registration = Registration.in(wiring, database, authenticator, wiring.log());
        this.access = new AgentAccess(new AgentStore(database));
        this.records = new AgentRecords(wiring, database);
        this.listing = new Listing(database, clock);
        this.statusChanges = new StatusChanges(database, clock);
        this.grants = new LeaseGrants(database, quota, clock, wiring.log());
        this.held = new HeldLeases(database, quota, clock, wiring.log());
        this.leases = new LeaseStore(database);
        this.events = new EventStore(database);
    }

    public void addTo(Routes routes) {
        String ofIntent = INTENT + "/leases";
        String lease = ofIntent + "/{lease_id}";
        on(routes, "POST " + AGENTS + "/register", ANY_KEY, this::register, OWN_LIFE);
        on(routes, "GET " + AGENTS + "/{agent_id}/record", AGENT, this::record);
        on(routes, "GET " + AGENTS, ANY_KEY, this::list, QUERY);
        on(routes, "PATCH " + AGENTS + "/{agent_id}/status", AGENT, this::changeStatus, OWN_LIFE);
        on(routes, "POST " + ofIntent, ANY_KEY, this::acquire);
        on(routes, "GET " + ofIntent, ANY_KEY, this::leases, QUERY);
        on(routes, "PATCH " + lease, ANY_KEY, this::renew);
        on(routes, "DELETE " + lease, ANY_KEY, this::release);
        on(routes, "GET " + INTENT + "/events", ANY_KEY, this::events, QUERY);
    }

    private static void on(
            Routes routes,
            String key,
            Access access,
            Function<ApiRequest, ApiResponse> handler,
            Route.Option... options) {
        routes.on(key, access, OpenIntent.readable(handler), options);
    }

    /**
     * Registers an agent. In this registry the role has the drain timeout, so the agent's timeout in the request is checked and not used.
     */
    private ApiResponse register(ApiRequest request) {
        Fields body = request.fields().withEmptyTexts();
        body.integer("drain_timeout_seconds", 0, Integer.MAX_VALUE);
        StoredAgent agent = registration.register(request.author(), body);
        return answer(201, agent)
                .with(
                        "Location",
                        request.served()
                                .publicPath("/api/v1/agents/" + agent.pulse().agentId()));
    }

    private ApiResponse record(ApiRequest request) {
        return answer(200, access.findWhole(request.caller(), request.pathId("agent_id")));
    }

    /** Returns a list as a bare array. */
    private ApiResponse list(ApiRequest request) {
        Fields query = request.queryFields().withDefault("status", LIVE);
        ListQuery wanted = ListQuery.of(query);
        int limit = limit(query);
        query.check();
        ObjectNode answer = Json.object();
        AnswerItems agents = new AnswerItems(answer, "agents");
        listing.page(request.caller(), wanted, limit, Cursor.START, row -> agents.add(OpenIntentJson.translated(row)));
        return ApiResponse.json(200, answer.get("agents"));
    }

    /** Changes a status. The SDK does not read the version before. */
    private ApiResponse changeStatus(ApiRequest request) {
        Preconditions preconditions = request.preconditions().orIfMatch("*");
        return answer(
                200, statusChanges.patch(request.author(), request.pathId("agent_id"), preconditions, request::fields));
    }

    /** Acquires a lease. The SDK names its agent in a header. */
    private ApiResponse acquire(ApiRequest request) {
        Fields body = request.fields().withEmptyTexts();
        String agentId = request.header("x-agent-id");
        LeaseGrants.Granted granted = grants.acquire(
                request.caller(),
                request.pathId("intent_id"),
                agentId.isEmpty() ? body : body.withDefault("agent_id", agentId));
        return answer(granted.isNew() ? 201 : 200, granted.lease());
    }

    private ApiResponse leases(ApiRequest request) {
        String intentId = request.pathId("intent_id");
        Fields query = request.queryFields();
        Predicate<Lease> asked = LeaseLists.askedFor(request.caller(), query, clock.instant());
        int limit = limit(query);
        query.check();
        ObjectNode answer = Json.object();
        ArrayNode shown = answer.putArray("leases");
        leases.ofIntent(intentId, "", limit).stream().filter(asked).forEach(lease -> shown.add(json(lease)));
        return ApiResponse.json(200, answer);
    }

    private ApiResponse renew(ApiRequest request) {
        return answer(200, held.renew(request.caller(), HeldLeases.Key.of(request), request.fields()));
    }

    private ApiResponse release(ApiRequest request) {
        held.release(request.caller(), HeldLeases.Key.of(request));
        return ApiResponse.noContent();
    }

    /** Returns the first events of one type, by its name in the SDK, or of all types. */
    private ApiResponse events(ApiRequest request) {
        String intentId = request.pathId("intent_id");
        Fields query = request.queryFields();
        int limit = query.integer(LIMIT, 1, MAX_ITEMS).orElse(DEFAULT_EVENTS);
        String type = query.text("event_type", 64);
        Instant since = query.timestamp("since", text -> ZONE.matcher(text).matches() ? text : text + "Z")
                .orElse(Instant.EPOCH);
        query.check();
        ObjectNode answer = Json.object();
        ArrayNode shown = answer.putArray("events");
        EventStore.Asked asked = EventStore.Asked.first(since, MAX_ITEMS);
        events.ofIntent(intentId, request.caller(), asked).items().stream()
                .map(OpenIntentJson::event)
                .flatMap(Optional::stream)
                .filter(event ->
                        type.isEmpty() || event.path("event_type").asText().equals(type))
                .limit(limit)
                .forEach(shown::add);
        return ApiResponse.json(200, answer);
    }

    private static int limit(Fields query) {
        return query.integer(LIMIT, 1, MAX_ITEMS).orElse(MAX_ITEMS);
    }

    private ApiResponse answer(int status, StoredAgent agent) {
        return ApiResponse.json(status, OpenIntentJson.translated(records.json(agent)))
                .with("ETag", EntityTag.ofVersion(agent.pulse().version()).value());
    }

    private ApiResponse answer(int status, Lease lease) {
        return ApiResponse.json(status, json(lease));
    }

    private ObjectNode json(Lease lease) {
        return OpenIntentJson.translated(LeaseJson.of(lease, clock.instant()));
    }
}
