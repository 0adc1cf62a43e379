package dev.agenthealth.functions.health.trust;

import static dev.agenthealth.functions.api.access.Access.ADMINISTRATOR;
import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR;
import static dev.agenthealth.functions.api.access.Access.COORDINATOR_OF_ALL_ROLES;
import static dev.agenthealth.functions.api.routes.Route.Option.QUERY;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.PageToken;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.paging.ListPage;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.trust.BlockStore;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.identity.Caller;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The routes of trust and health records of agents and providers, and of their blocks. */
public final class TrustRoutes {

    private static final String AGENT_ID = "agent_id";
    private static final String PROVIDER_ID = "provider_id";

    private final Subjects agents;
    private final Subjects providers;
    private final TrustRecords records;
    private final Blocking blocking;

    public TrustRoutes(Wiring wiring, Database database, Log log) {
        Executor executor =
                wiring.storageMeter().propagating(DaemonThreads.pool(TrackRecordStore.MAX_READERS, "trust"));
        this.agents = new AgentSubjects(database);
        this.providers = new ProviderSubjects(new GroupStore(database), new BlockStore(database));
        this.records =
                new TrustRecords(new TrackRecordStore(database, executor), new BlockStore(database), wiring.clock());
        this.blocking = new Blocking(database, wiring.clock(), log);
    }

    /** Adds the routes that read. */
    public void addReadsTo(Routes routes) {
        Shown trust = records::trust;
        Shown health = (caller, known) -> records.health(known);
        routes.on("GET /v1/trust/agents", COORDINATOR, list(agents, trust, false), QUERY)
                .on("GET /v1/trust/agents/{agent_id}", AGENT, one(agents::findEvenBlocked, AGENT_ID, trust))
                .on("GET /v1/trust/providers", COORDINATOR_OF_ALL_ROLES, list(providers, trust, false), QUERY)
                .on(
                        "GET /v1/trust/providers/{provider_id}",
                        COORDINATOR_OF_ALL_ROLES,
                        one(providers::findEvenBlocked, PROVIDER_ID, trust))
                .on("GET /v1/health/agents", COORDINATOR, list(agents, health, true), QUERY)
                .on("GET /v1/health/agents/{agent_id}", AGENT, one(agents::find, AGENT_ID, health))
                .on("GET /v1/health/providers", COORDINATOR_OF_ALL_ROLES, list(providers, health, true), QUERY)
                .on(
                        "GET /v1/health/providers/{provider_id}",
                        COORDINATOR_OF_ALL_ROLES,
                        one(providers::find, PROVIDER_ID, health));
    }

    /** Adds the routes that block and unblock. */
    public void addBlocksTo(Routes routes) {
        routes.on("POST /v1/admin/agents/{agent_id}/block", ADMINISTRATOR, block(agents, AGENT_ID))
                .on("POST /v1/admin/agents/{agent_id}/unblock", ADMINISTRATOR, unblock(agents, AGENT_ID))
                .on("POST /v1/admin/providers/{provider_id}/block", ADMINISTRATOR, block(providers, PROVIDER_ID))
                .on("POST /v1/admin/providers/{provider_id}/unblock", ADMINISTRATOR, unblock(providers, PROVIDER_ID));
    }

    /** Returns the records of one kind for a caller. */
    private interface Shown extends BiFunction<Caller, List<RatedSubject>, List<ObjectNode>> {}

    private static Function<ApiRequest, ApiResponse> list(Subjects subjects, Shown shown, boolean forHealth) {
        return request -> {
            ListPage<RatedSubject> page = subjects.page(request, forHealth);
            ObjectNode json = Json.object();
            json.putArray("items").addAll(shown.apply(request.caller(), page.items()));
            PageToken.putNext(json, request, page.next());
            return ApiResponse.json(200, json);
        };
    }

    private static Function<ApiRequest, ApiResponse> one(
            BiFunction<Caller, String, RatedSubject> finder, String id, Shown shown) {
        return request -> record(request, finder.apply(request.caller(), request.pathId(id)), shown);
    }

    private Function<ApiRequest, ApiResponse> block(Subjects subjects, String id) {
        return request -> {
            RatedSubject known = subjects.findEvenUnknown(request.caller(), request.pathId(id));
            blocking.block(request.author(), known.subject(), request.optionalFields());
            return record(request, known, records::trust);
        };
    }

    private Function<ApiRequest, ApiResponse> unblock(Subjects subjects, String id) {
        return request -> {
            RatedSubject known = subjects.findEvenBlocked(request.caller(), request.pathId(id));
            blocking.unblock(request.author(), known);
            return record(request, known, records::trust);
        };
    }

    private static ApiResponse record(ApiRequest request, RatedSubject known, Shown shown) {
        return ApiResponse.json(
                200, shown.apply(request.caller(), List.of(known)).get(0));
    }
}
