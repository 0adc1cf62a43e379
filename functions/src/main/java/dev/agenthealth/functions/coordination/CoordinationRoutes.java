package dev.agenthealth.functions.coordination;

import static dev.agenthealth.functions.access.Access.COORDINATOR;
import static dev.agenthealth.functions.access.Access.COORDINATOR_OF_ALL_ROLES;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.model.workflow.Workflow;
import java.time.Clock;

/** Workflows and pools. */
public final class CoordinationRoutes {

    private static final String NAME = "name";

    private final Workflows workflows;
    private final Pools pools;

    public CoordinationRoutes(Stores stores, Clock clock) {
        this.workflows = new Workflows(stores.workflows(), stores.groups(), clock);
        this.pools = new Pools(stores.pools(), stores.groups());
    }

    public void addTo(Routes routes) {
        routes.on("PUT /api/v1/workflows/{name}", COORDINATOR_OF_ALL_ROLES, this::putWorkflow)
                .on("GET /api/v1/workflows/{name}", COORDINATOR, this::getWorkflow)
                .on("DELETE /api/v1/workflows/{name}", COORDINATOR_OF_ALL_ROLES, this::deleteWorkflow)
                .on("GET /api/v1/workflows", COORDINATOR, this::listWorkflows)
                .on("GET /api/v1/pools/{role_id}", COORDINATOR, this::getPool)
                .on("GET /api/v1/pools", COORDINATOR, this::listPools);
    }

    private ApiResponse putWorkflow(ApiRequest request) {
        Workflow workflow = workflows.put(request.pathId(NAME), request);
        return shown(workflow.version() == 1 ? 201 : 200, workflow);
    }

    private ApiResponse getWorkflow(ApiRequest request) {
        return shown(200, workflows.get(request.pathId(NAME)));
    }

    private ApiResponse deleteWorkflow(ApiRequest request) {
        workflows.delete(request.pathId(NAME), request);
        return ApiResponse.noContent();
    }

    private ApiResponse listWorkflows(ApiRequest request) {
        return ApiResponse.json(200, workflows.page(request));
    }

    private ApiResponse getPool(ApiRequest request) {
        return ApiResponse.json(200, pools.get(request.pathId("role_id"), request));
    }

    private ApiResponse listPools(ApiRequest request) {
        return ApiResponse.json(200, pools.page(request));
    }

    private static ApiResponse shown(int status, Workflow workflow) {
        return ApiResponse.json(status, WorkflowJson.full(workflow)).with("ETag", ApiResponse.etag(workflow.version()));
    }
}
