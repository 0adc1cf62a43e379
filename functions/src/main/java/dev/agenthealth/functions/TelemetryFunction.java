package dev.agenthealth.functions;

import dev.agenthealth.functions.api.routes.HttpFunction;
import dev.agenthealth.functions.registry.telemetry.TelemetryRoutes;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.wiring.Wiring;

/** Spans of OpenTelemetry as outcomes, and the mappings of their names to agents. It has no snapshot, and so nothing to warm up. */
public final class TelemetryFunction extends HttpFunction {

    /** For Lambda. */
    public TelemetryFunction() {
        this(Wiring.fromEnvironment());
    }

    public TelemetryFunction(Wiring wiring) {
        super(wiring);
        new TelemetryRoutes(wiring, database(), authenticator(), log()).addTo(routes());
    }

    @Override
    protected ApiResponse refused(ApiError problem, ApiRequest request) {
        return request.routeKey().equals(TelemetryRoutes.TRACES)
                ? TelemetryRoutes.refused(problem, request.header("content-type"))
                : super.refused(problem, request);
    }
}
