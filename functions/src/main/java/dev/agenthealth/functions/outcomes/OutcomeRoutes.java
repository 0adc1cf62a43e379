package dev.agenthealth.functions.outcomes;

import static dev.agenthealth.functions.access.Access.AGENT;
import static dev.agenthealth.functions.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.storage.Stores;
import java.time.Clock;

/** Outcomes of executions, reported by the agent or by its callers. */
public final class OutcomeRoutes {

    private final Stores stores;
    private final Clock clock;

    public OutcomeRoutes(Stores stores, Clock clock) {
        this.stores = stores;
        this.clock = clock;
    }

    public void addTo(Routes routes) {
        routes.on("POST /api/v1/agents/{agent_id}/outcomes", AGENT, this::report, SAMPLED);
    }

    private ApiResponse report(ApiRequest request) {
        // Made for each request: heartbeats share the function and must not wait for these classes.
        OutcomeReports reports = OutcomeReports.to(stores, clock);
        OutcomeReceipt receipt = reports.take(request.caller(), request.pathId("agent_id"), request.fields());
        return ApiResponse.json(202, receipt.json());
    }
}
