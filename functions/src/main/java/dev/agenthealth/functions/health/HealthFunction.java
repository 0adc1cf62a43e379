package dev.agenthealth.functions.health;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.access.Visitor;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.wiring.Wiring;

/** Health documents and agent cards for everybody, scores and history for those who have to do with an agent. Computes nothing. */
public final class HealthFunction extends HttpFunction {

    private static final String AGENT_ID = "agent_id";
    private static final String WELL_KNOWN = "/.well-known/";

    private final Authenticator authenticator;
    private final HealthDocuments documents;
    private final AgentCards cards;
    private final Scores scores;
    private final SystemHealth system;
    private final RouteTable routes;

    /** For Lambda. */
    public HealthFunction() {
        this(Wiring.fromEnvironment());
    }

    public HealthFunction(Wiring wiring) {
        super(wiring, wiring.log());
        Stores stores = Stores.of(wiring);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        HealthReadings readings = new HealthReadings(stores.health(), stores.agents(), stores.pulses(), wiring.clock());
        this.documents = new HealthDocuments(readings, stores.hosts());
        this.cards = new AgentCards(stores.agents());
        this.scores = new Scores(readings, stores.health(), new AgentAccess(stores.agents()), wiring.clock());
        this.system = new SystemHealth(stores.census(), stores.groups());
        this.routes = new RouteTable()
                .on("GET /.well-known/agent-health", this::healthOfHost)
                .on("GET /agents/{agent_id}/.well-known/agent-health", this::healthOfAgent)
                .on("GET /agents/{agent_id}/.well-known/agent.json", this::card)
                .on("GET /agents/{agent_id}/.well-known/agent-card.json", this::cardOfVersion1)
                .on("GET /api/v1/agents/{agent_id}/health", this::score)
                .on("GET /api/v1/agents/{agent_id}/health/history", this::history)
                .on("GET /api/v1/health", this::systemHealth);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.withoutKey("GET /agents/{agent_id}/.well-known/agent-health");
    }

    /** What anybody polls is not worth a line of the log each time. */
    @Override
    protected boolean isFrequent(ApiRequest request) {
        return request.routeKey().contains(WELL_KNOWN);
    }

    @Override
    protected boolean isForEveryPage(ApiRequest request) {
        return request.routeKey().contains(WELL_KNOWN);
    }

    private ApiResponse healthOfHost(ApiRequest request) {
        Visitor visitor = authenticator.visitor(request);
        return documents.ofHost(visitor, request).answer(request, visitor);
    }

    private ApiResponse healthOfAgent(ApiRequest request) {
        Visitor visitor = authenticator.visitor(request);
        return documents.ofAgent(visitor, request.pathId(AGENT_ID)).answer(request, visitor);
    }

    private ApiResponse card(ApiRequest request) {
        return cards.ofVersion03(request.pathId(AGENT_ID), request);
    }

    private ApiResponse cardOfVersion1(ApiRequest request) {
        return cards.ofVersion1(request.pathId(AGENT_ID), request);
    }

    private ApiResponse score(ApiRequest request) {
        return ApiResponse.json(200, scores.of(authenticator.caller(request), request.pathId(AGENT_ID)));
    }

    private ApiResponse history(ApiRequest request) {
        return ApiResponse.json(200, scores.history(authenticator.caller(request), request.pathId(AGENT_ID), request));
    }

    private ApiResponse systemHealth(ApiRequest request) {
        return ApiResponse.json(200, system.of(authenticator.caller(request)));
    }
}
