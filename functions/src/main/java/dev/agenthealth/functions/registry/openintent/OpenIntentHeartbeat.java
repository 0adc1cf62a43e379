package dev.agenthealth.functions.registry.openintent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.access.PresentedCredential;
import dev.agenthealth.functions.api.routes.Route;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.registry.heartbeat.Heartbeats;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;

/** The heartbeat route of OpenIntent's SDK. It is separate from the other routes, whose classes its function does not load. Thread-safe. */
public final class OpenIntentHeartbeat {

    private static final String CLIENT_TIMESTAMP = "client_timestamp";
    private static final String WARNINGS = "warnings";

    private final Heartbeats heartbeats;

    public OpenIntentHeartbeat(Heartbeats heartbeats) {
        this.heartbeats = heartbeats;
    }

    public void addTo(Routes routes) {
        routes.on(
                "POST " + OpenIntent.API + "/agents/{agent_id}/heartbeat",
                Access.UNVERIFIED_KEY,
                OpenIntent.readable(this::heartbeat),
                Route.Option.SAMPLED,
                Route.Option.OWN_LIFE);
    }

    /** Receives a heartbeat. The SDK sends no time, so no warning is about the drift of its clock. */
    private ApiResponse heartbeat(ApiRequest request) {
        ObjectNode answer = heartbeats.receive(
                PresentedCredential.of(request), () -> request.pathId("agent_id"), () -> Heartbeats.fields(request)
                        .map(body -> body.names().isEmpty() ? body : body.withDefault(CLIENT_TIMESTAMP, "unknown")));
        if (answer.path(WARNINGS) instanceof ArrayNode warnings) {
            for (int i = warnings.size() - 1; i >= 0; i--) {
                if (warnings.get(i).path("field").asText().equals(CLIENT_TIMESTAMP)) {
                    warnings.remove(i);
                }
            }
            if (warnings.isEmpty()) {
                answer.remove(WARNINGS);
            }
        }
        return ApiResponse.json(200, answer);
    }
}
