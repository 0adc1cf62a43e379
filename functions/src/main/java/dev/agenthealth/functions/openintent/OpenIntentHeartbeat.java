package dev.agenthealth.functions.openintent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.Access;
import dev.agenthealth.functions.access.PresentedCredential;
import dev.agenthealth.functions.heartbeat.Heartbeats;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.routes.Route;
import dev.agenthealth.functions.routes.Routes;

/** The route by which OpenIntent's SDK sends heartbeats. Apart from the others, whose classes its function does not load. Thread-safe. */
public final class OpenIntentHeartbeat {

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

    /** The SDK sends no time, so that the drift of its clock is unknown, and not what the warnings are about. */
    private ApiResponse heartbeat(ApiRequest request) {
        ObjectNode answer = heartbeats.receive(
                PresentedCredential.of(request), () -> request.pathId("agent_id"), () -> request.fieldsIfAny()
                        .map(body -> body.withDefault("client_timestamp", "unknown")));
        answer.remove("warnings");
        return ApiResponse.json(200, answer);
    }
}
