package dev.agenthealth.functions.heartbeat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.HttpFunction;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.http.RouteTable;
import dev.agenthealth.functions.http.WarmUpRequest;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.storage.Stores;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Heartbeat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Heartbeats, of one agent or of up to 100 agents of one key, with or without outcomes riding on them. */
public final class HeartbeatFunction extends HttpFunction {

    private static final int BATCH_THREADS = 8;

    private static final String HEARTBEAT = "POST /api/v1/agents/{agent_id}/heartbeat";

    /** A heartbeat in which one field is wrong: it is read to its end, and then only the key is looked up. */
    private static final String UNREADABLE =
            "{\"status\":\"nothing\",\"current_load\":0,\"client_timestamp\":\"2026-01-01T00:00:00Z\",\"tasks_in_progress\":[\"t\"]}";

    private final Authenticator authenticator;
    private final HeartbeatReception reception;
    private final HeartbeatOutcomes outcomes;
    private final HeartbeatBatch batch;
    private final RouteTable routes;

    /** For Lambda. */
    public HeartbeatFunction() {
        this(Wiring.fromEnvironment());
    }

    public HeartbeatFunction(Wiring wiring) {
        this(wiring, wiring.log());
    }

    private HeartbeatFunction(Wiring wiring, Log log) {
        super(wiring, log);
        Stores stores = Stores.of(wiring);
        PulseStore pulses = stores.pulses();
        AgentStore agents = stores.agents();
        this.authenticator = Authenticator.of(wiring, stores.keys());
        this.reception = new HeartbeatReception(
                pulses,
                agents,
                stores.leases(),
                authenticator,
                new TaskLists(agents),
                new DriftWatch(agents, log),
                new HeartbeatCount(log),
                wiring.clock());
        this.outcomes = new HeartbeatOutcomes(stores, wiring.clock(), log);
        this.batch = new HeartbeatBatch(
                reception,
                outcomes,
                authenticator,
                wiring.storageMeter()
                        .carrying(Executors.newFixedThreadPool(BATCH_THREADS, DaemonThreads.named("heartbeat"))),
                log);
        this.routes = new RouteTable().on(HEARTBEAT, this::heartbeat).on("POST /api/v1/heartbeats", this::heartbeats);
    }

    @Override
    public RouteTable routes() {
        return routes;
    }

    @Override
    protected WarmUpRequest rehearsal() {
        return WarmUpRequest.refused(HEARTBEAT, UNREADABLE);
    }

    @Override
    protected boolean isFrequent(ApiRequest request) {
        return true;
    }

    private ApiResponse heartbeat(ApiRequest request) {
        KeyHash key = Authenticator.presented(request);
        String agentId = read(key, () -> request.pathId("agent_id"));
        Fields body = read(key, request::fields);
        Heartbeat heartbeat = read(key, () -> HeartbeatFields.read(body));
        ObjectNode answer = reception.receive(agentId, key, heartbeat).json();
        outcomes.take(agentId, body, answer);
        return ApiResponse.json(200, answer);
    }

    private ApiResponse heartbeats(ApiRequest request) {
        KeyHash key = Authenticator.presented(request);
        List<Fields> heartbeats = read(key, () -> HeartbeatBatch.elements(request.fields()));
        return ApiResponse.json(200, batch.receive(key, heartbeats));
    }

    /** What is read from the request. Where it cannot be read, whoever has no valid key learns that and nothing else. */
    private <T> T read(KeyHash key, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (Problem mistake) {
            authenticator.caller(key);
            throw mistake;
        }
    }
}
