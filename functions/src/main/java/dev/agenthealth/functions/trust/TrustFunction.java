package dev.agenthealth.functions.trust;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.trust.TrackRecordStore;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Trust and health records of agents and providers for whoever decides about calling them, and blocks, which operators set. */
public final class TrustFunction extends HttpFunction {

    /** As many as Java keeps connections open to one host: a burst of more would shake hands anew each time. */
    private static final int THREADS = 5;

    private static final String AGENT_ID = "agent_id";
    private static final String PROVIDER_ID = "provider_id";

    private final Authenticator authenticator;
    private final Subjects agents;
    private final Subjects providers;
    private final Records trust;
    private final Records health;
    private final Blocking blocking;
    private final RouteTable routes;

    /** For Lambda. */
    public TrustFunction() {
        this(Wiring.fromEnvironment());
    }

    public TrustFunction(Wiring wiring) {
        this(wiring, wiring.log());
    }

    private TrustFunction(Wiring wiring, Log log) {
        super(wiring, log);
        Stores stores = Stores.of(wiring);
        Executor executor =
                wiring.storageMeter().carrying(Executors.newFixedThreadPool(THREADS, DaemonThreads.named("trust")));
        TrackRecordStore records = stores.trackRecords(executor);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.agents = new AgentSubjects(new AgentAccess(stores.agents()), stores.discovery());
        this.providers = new ProviderSubjects(stores.groups());
        this.trust = new TrustRecords(records, stores.blocks(), wiring.clock());
        this.health = new HealthRecords(records, wiring.clock());
        this.blocking = new Blocking(stores.blocks(), wiring.clock(), log);
        this.routes = new RouteTable()
                .on("GET /v1/trust/agents", request -> list(request, agents, trust))
                .on("GET /v1/trust/agents/{agent_id}", request -> one(request, agents, AGENT_ID, trust))
                .on("GET /v1/trust/providers", request -> list(request, providers, trust))
                .on("GET /v1/trust/providers/{provider_id}", request -> one(request, providers, PROVIDER_ID, trust))
                .on("GET /v1/health/agents", request -> list(request, agents, health))
                .on("GET /v1/health/agents/{agent_id}", request -> one(request, agents, AGENT_ID, health))
                .on("GET /v1/health/providers", request -> list(request, providers, health))
                .on("GET /v1/health/providers/{provider_id}", request -> one(request, providers, PROVIDER_ID, health))
                .on("POST /v1/admin/agents/{agent_id}/block", request -> block(request, agents, AGENT_ID))
                .on("POST /v1/admin/agents/{agent_id}/unblock", request -> unblock(request, agents, AGENT_ID))
                .on("POST /v1/admin/providers/{provider_id}/block", request -> block(request, providers, PROVIDER_ID))
                .on(
                        "POST /v1/admin/providers/{provider_id}/unblock",
                        request -> unblock(request, providers, PROVIDER_ID));
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("GET /v1/trust/agents/{agent_id}");
    }

    private ApiResponse list(ApiRequest request, Subjects subjects, Records records) {
        Caller caller = authenticator.caller(request);
        Subjects.Page page = subjects.page(caller, request);
        ObjectNode json = Json.object();
        json.putArray("items").addAll(records.of(caller, page.subjects()));
        if (!page.nextToken().isEmpty()) {
            json.put("next_token", page.nextToken());
        }
        return ApiResponse.json(200, json);
    }

    private ApiResponse one(ApiRequest request, Subjects subjects, String id, Records records) {
        Caller caller = authenticator.caller(request);
        return record(caller, subjects.find(caller, request.pathId(id)), records);
    }

    private ApiResponse block(ApiRequest request, Subjects subjects, String id) {
        Caller administrator = authenticator.administrator(request);
        KnownSubject known = subjects.find(administrator, request.pathId(id));
        blocking.block(administrator, known.subject(), request.fields());
        return record(administrator, known, trust);
    }

    private ApiResponse unblock(ApiRequest request, Subjects subjects, String id) {
        Caller administrator = authenticator.administrator(request);
        KnownSubject known = subjects.find(administrator, request.pathId(id));
        blocking.unblock(administrator, known.subject());
        return record(administrator, known, trust);
    }

    private static ApiResponse record(Caller caller, KnownSubject known, Records records) {
        return ApiResponse.json(200, records.of(caller, List.of(known)).get(0));
    }
}
