package dev.agenthealth.functions.registry.heartbeat;

import static dev.agenthealth.functions.api.access.Access.UNVERIFIED_KEY;
import static dev.agenthealth.functions.api.routes.Route.Option.OWN_LIFE;
import static dev.agenthealth.functions.api.routes.Route.Option.SAMPLED;

import dev.agenthealth.functions.api.access.Authenticator;
import dev.agenthealth.functions.api.access.PresentedCredential;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.api.routes.WarmUpRequest;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.runtime.threads.DaemonThreads;
import dev.agenthealth.functions.runtime.wiring.FunctionSettings;
import dev.agenthealth.functions.runtime.wiring.Wiring;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.registry.lifecycle.HeartbeatSchedule;
import java.util.List;

/** The routes of heartbeats: of one agent, or of up to 100 agents of one key, with or without outcomes. */
public final class HeartbeatRoutes {

    private static final int BATCH_THREADS = 8;

    private static final String HEARTBEAT = "POST /api/v1/agents/{agent_id}/heartbeat";

    private static final String VALID =
            "{\"status\":\"active\",\"current_load\":0,\"client_timestamp\":\"2026-01-01T00:00:00Z\",\"tasks_in_progress\":[\"t\"]}";

    /** Sends the conditional write of a heartbeat, which fails because the agent does not exist, and looks up a key. */
    public static final WarmUpRequest WARM_UP = WarmUpRequest.withUnknownKey(HEARTBEAT, VALID);

    private final Heartbeats heartbeats;
    private final HeartbeatBatch batch;

    public HeartbeatRoutes(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        HeartbeatReception reception = new HeartbeatReception(
                database,
                authenticator,
                new HeartbeatSchedule(wiring.get(FunctionSettings.HEARTBEAT_STRETCH_PERCENT)),
                wiring.clock(),
                log);
        HeartbeatOutcomes outcomes = new HeartbeatOutcomes(database, wiring.clock(), log);
        this.heartbeats = new Heartbeats(reception, outcomes, authenticator);
        this.batch = new HeartbeatBatch(
                reception,
                outcomes,
                authenticator,
                wiring.storageMeter().propagating(DaemonThreads.pool(BATCH_THREADS, "heartbeat")),
                log);
    }

    public void addTo(Routes routes) {
        routes.on(HEARTBEAT, UNVERIFIED_KEY, this::heartbeat, SAMPLED, OWN_LIFE)
                .on("POST /api/v1/heartbeats", UNVERIFIED_KEY, this::heartbeats, SAMPLED, OWN_LIFE);
    }

    /** Returns the service behind the route of single heartbeats. */
    public Heartbeats heartbeats() {
        return heartbeats;
    }

    private ApiResponse heartbeat(ApiRequest request) {
        return ApiResponse.json(
                200,
                heartbeats.receive(
                        PresentedCredential.of(request),
                        () -> request.pathId("agent_id"),
                        () -> Heartbeats.fields(request)));
    }

    private ApiResponse heartbeats(ApiRequest request) {
        PresentedCredential key = PresentedCredential.of(request);
        List<Fields> elements = heartbeats.read(key, () -> HeartbeatBatch.elements(request));
        return ApiResponse.json(200, batch.receive(key, elements));
    }
}
