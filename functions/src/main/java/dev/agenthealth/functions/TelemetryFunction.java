package dev.agenthealth.functions;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.registry.telemetry.TelemetryRoutes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/**
 * Receives spans of OpenTelemetry as outcomes and log records as evaluations, and serves the mappings of their names to agents. The function has no snapshot and warms
 * nothing up.
 */
public final class TelemetryFunction extends HttpFunction {

    /** Lambda calls this constructor. */
    public TelemetryFunction() {
        this(Wiring.fromEnvironment());
    }

    public TelemetryFunction(Wiring wiring) {
        super(wiring);
        new TelemetryRoutes(wiring, database(), authenticator(), log()).addTo(routes());
    }

    @Override
    protected ApiResponse refused(ApiError problem, ApiRequest request) {
        return TelemetryRoutes.isOtlp(request.routeKey())
                ? TelemetryRoutes.refused(problem, request.header("content-type"))
                : super.refused(problem, request);
    }
}
