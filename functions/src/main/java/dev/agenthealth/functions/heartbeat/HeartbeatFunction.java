package dev.agenthealth.functions.heartbeat;

import dev.agenthealth.functions.Wiring;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.observation.DaemonThreads;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.AgentStore;
import dev.agenthealth.functions.storage.PulseStore;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.model.identity.KeyHash;
import java.util.concurrent.Executors;

/** Heartbeats, of one agent or of up to 100 agents of one key. */
public final class HeartbeatFunction extends HttpFunction {

    private static final int BATCH_THREADS = 8;

    private final HeartbeatReception reception;
    private final HeartbeatBatch batch;
    private final RouteTable routes;

    /** For Lambda. */
    public HeartbeatFunction() {
        this(Wiring.fromEnvironment());
    }

    public HeartbeatFunction(Wiring wiring) {
        super(wiring.clock(), Log.standard(wiring.clock()));
        Log log = Log.standard(wiring.clock());
        Stores stores = Stores.of(wiring);
        PulseStore pulses = stores.pulses();
        AgentStore agents = stores.agents();
        this.reception = new HeartbeatReception(
                pulses,
                agents,
                Authenticator.of(wiring, stores.keys()),
                new TaskLists(agents, pulses),
                new DriftWatch(agents, log),
                wiring.clock());
        this.batch = new HeartbeatBatch(
                reception, Executors.newFixedThreadPool(BATCH_THREADS, DaemonThreads.named("heartbeat")), log);
        this.routes = new RouteTable()
                .on("POST /api/v1/agents/{agent_id}/heartbeat", this::heartbeat)
                .on("POST /api/v1/heartbeats", this::heartbeats);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected boolean isFrequent(ApiRequest request) {
        return true;
    }

    private ApiResponse heartbeat(ApiRequest request) {
        KeyHash key = Authenticator.presented(request);
        String agentId = request.pathId("agent_id");
        return ApiResponse.json(
                200,
                reception
                        .receive(agentId, key, HeartbeatFields.read(request.fields()))
                        .json());
    }

    private ApiResponse heartbeats(ApiRequest request) {
        return ApiResponse.json(200, batch.receive(Authenticator.presented(request), request));
    }
}
