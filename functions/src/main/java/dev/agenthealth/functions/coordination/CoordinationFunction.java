package dev.agenthealth.functions.coordination;

import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.workflow.Workflow;

/** Workflows and pools; the only function that reads YAML. */
public final class CoordinationFunction extends HttpFunction {

    private static final String NAME = "name";
    private static final String ROLE_ID = "role_id";

    private final Authenticator authenticator;
    private final Workflows workflows;
    private final Pools pools;
    private final RouteTable routes;

    /** For Lambda. */
    public CoordinationFunction() {
        this(Wiring.fromEnvironment());
    }

    public CoordinationFunction(Wiring wiring) {
        super(wiring, wiring.log());
        Stores stores = Stores.of(wiring);
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.workflows = new Workflows(stores.workflows(), stores.roles(), wiring.clock());
        this.pools = new Pools(stores.pools(), stores.roles());
        this.routes = new RouteTable()
                .on("PUT /api/v1/workflows/{name}", this::putWorkflow)
                .on("GET /api/v1/workflows/{name}", this::getWorkflow)
                .on("DELETE /api/v1/workflows/{name}", this::deleteWorkflow)
                .on("GET /api/v1/workflows", this::listWorkflows)
                .on("GET /api/v1/pools/{role_id}", this::getPool)
                .on("GET /api/v1/pools", this::listPools);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused("GET /api/v1/pools/{role_id}");
    }

    private ApiResponse putWorkflow(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        Workflow workflow = workflows.put(caller, request.pathId(NAME), request);
        return shown(workflow.version() == 1 ? 201 : 200, workflow);
    }

    private ApiResponse getWorkflow(ApiRequest request) {
        return shown(200, workflows.get(authenticator.caller(request), request.pathId(NAME)));
    }

    private ApiResponse deleteWorkflow(ApiRequest request) {
        workflows.delete(authenticator.caller(request), request.pathId(NAME), request);
        return ApiResponse.noContent();
    }

    private ApiResponse listWorkflows(ApiRequest request) {
        return ApiResponse.json(200, workflows.page(authenticator.caller(request), request));
    }

    private ApiResponse getPool(ApiRequest request) {
        Caller caller = authenticator.caller(request);
        return ApiResponse.json(200, pools.get(caller, request.pathId(ROLE_ID), request));
    }

    private ApiResponse listPools(ApiRequest request) {
        return ApiResponse.json(200, pools.page(authenticator.caller(request), request));
    }

    private static ApiResponse shown(int status, Workflow workflow) {
        return ApiResponse.json(status, WorkflowJson.full(workflow)).with("ETag", ApiResponse.etag(workflow.version()));
    }
}
