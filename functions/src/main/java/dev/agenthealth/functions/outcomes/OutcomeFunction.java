package dev.agenthealth.functions.outcomes;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;

/** Outcomes of executions, reported by the agent itself or by who uses it. */
public final class OutcomeFunction extends HttpFunction {

    private final Authenticator authenticator;
    private final OutcomeReports reports;
    private final RouteTable routes;

    /** For Lambda. */
    public OutcomeFunction() {
        this(Wiring.fromEnvironment());
    }

    public OutcomeFunction(Wiring wiring) {
        super(wiring, wiring.log());
        Stores stores = Stores.of(wiring);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.reports = OutcomeReports.to(stores, wiring.clock());
        this.routes = new RouteTable().on("POST /api/v1/agents/{agent_id}/outcomes", this::report);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("POST /api/v1/agents/{agent_id}/outcomes");
    }

    @Override
    protected boolean isFrequent(ApiRequest request) {
        return true;
    }

    private ApiResponse report(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        OutcomeReceipt receipt = reports.take(caller, request.pathId("agent_id"), request.fields());
        return ApiResponse.json(202, receipt.json());
    }
}
