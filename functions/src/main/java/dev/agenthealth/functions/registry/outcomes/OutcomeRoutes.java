package dev.agenthealth.functions.registry.outcomes;

import static dev.agenthealth.functions.api.access.Access.AGENT;
import static dev.agenthealth.functions.api.routes.Route.Option.OWN_LIFE;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.lifesigns.DeclaredSigns;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.dynamo.Database;
import java.time.Clock;

/** The routes of outcomes, which agents or their callers report. */
public final class OutcomeRoutes {

    private final Database database;
    private final Clock clock;
    private final Log log;

    public OutcomeRoutes(Database database, Clock clock, Log log) {
        this.database = database;
        this.clock = clock;
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on("POST /api/v1/agents/{agent_id}/outcomes", AGENT, this::report, SAMPLED, OWN_LIFE);
    }

    private ApiResponse report(ApiRequest request) {
        // Created for each request: heartbeats share the function and must not wait for these classes.
        OutcomeReports reports = OutcomeReports.to(database, clock);
        String agentId = request.pathId("agent_id");
        try {
            OutcomeReceipt receipt =
                    reports.take(request.caller(), agentId, request.fields(), new DeclaredSigns(database, clock, log));
            return ApiResponse.json(202, receipt.json());
        } catch (ApiError refused) {
            OutcomeReports.logRefusal(log, agentId, refused);
            throw refused;
        }
    }
}
