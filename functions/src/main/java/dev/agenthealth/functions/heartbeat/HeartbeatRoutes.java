package dev.agenthealth.functions.heartbeat;

import static dev.agenthealth.functions.access.Access.UNVERIFIED_KEY;
import static dev.agenthealth.functions.routes.Route.Option.SAMPLED;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.Authenticator;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.observation.Log;
import dev.agenthealth.functions.routes.Routes;
import dev.agenthealth.functions.routes.WarmUpRequest;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.threads.DaemonThreads;
import dev.agenthealth.functions.wiring.Wiring;
import dev.agenthealth.model.identity.KeyHash;
import dev.agenthealth.model.lifecycle.Heartbeat;
import dev.agenthealth.model.lifecycle.HeartbeatSchedule;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Heartbeats of one agent, or of up to 100 agents of one key, with or without outcomes. */
public final class HeartbeatRoutes {

    private static final int BATCH_THREADS = 8;

    private static final String HEARTBEAT = "POST /api/v1/agents/{agent_id}/heartbeat";

    /** A heartbeat with one invalid field, which is read to its end before its key is looked up. */
    private static final String INVALID =
            "{\"status\":\"nothing\",\"current_load\":0,\"client_timestamp\":\"2026-01-01T00:00:00Z\",\"tasks_in_progress\":[\"t\"]}";

    /** Reads a heartbeat and a key, and writes nothing. */
    public static final WarmUpRequest WARM_UP = WarmUpRequest.withUnknownKey(HEARTBEAT, INVALID);

    private final Authenticator authenticator;
    private final HeartbeatReception reception;
    private final HeartbeatOutcomes outcomes;
    private final HeartbeatBatch batch;

    public HeartbeatRoutes(Wiring wiring, Database database, Authenticator authenticator, Log log) {
        this.authenticator = authenticator;
        this.reception = new HeartbeatReception(
                database,
                authenticator,
                new HeartbeatSchedule(wiring.requiredInt("HEARTBEAT_STRETCH_PERCENT")),
                wiring.clock(),
                log);
        this.outcomes = new HeartbeatOutcomes(database, wiring.clock(), log);
        this.batch = new HeartbeatBatch(
                reception,
                outcomes,
                authenticator,
                wiring.storageMeter()
                        .propagating(Executors.newFixedThreadPool(BATCH_THREADS, DaemonThreads.named("heartbeat"))),
                log);
    }

    public void addTo(Routes routes) {
        routes.on(HEARTBEAT, UNVERIFIED_KEY, this::heartbeat, SAMPLED)
                .on("POST /api/v1/heartbeats", UNVERIFIED_KEY, this::heartbeats, SAMPLED);
    }

    private ApiResponse heartbeat(ApiRequest request) {
        KeyHash key = Authenticator.presentedKey(request);
        String agentId = read(key, () -> request.pathId("agent_id"));
        if (read(key, request::body).isBlank()) {
            return ApiResponse.json(
                    200,
                    reception.receive(agentId, key, Heartbeat.BARE, agentId).json());
        }
        Fields body = read(key, request::fields);
        Heartbeat heartbeat = read(key, () -> HeartbeatFields.read(body));
        ObjectNode answer = answer(agentId, key, heartbeat, body);
        HeartbeatFields.putWarnings(answer, body, heartbeat);
        outcomes.take(agentId, body).ifPresent(report -> report.putInto(answer.putObject(HeartbeatOutcomes.OUTCOMES)));
        return ApiResponse.json(200, answer);
    }

    private ObjectNode answer(String agentId, KeyHash key, Heartbeat heartbeat, Fields body) {
        try {
            return reception.receive(agentId, key, heartbeat, agentId).json();
        } catch (Problem refused) {
            // The executions of a replaced process happened, so they count.
            throw refused.error().equals(Problem.SUPERSEDED)
                    ? outcomes.take(agentId, body)
                            .map(report -> refused.with(HeartbeatOutcomes.OUTCOMES, report.json()))
                            .orElse(refused)
                    : refused;
        }
    }

    private ApiResponse heartbeats(ApiRequest request) {
        KeyHash key = Authenticator.presentedKey(request);
        List<Fields> heartbeats = read(key, () -> HeartbeatBatch.elements(request.fields()));
        return ApiResponse.json(200, batch.receive(key, heartbeats));
    }

    /** Reads a part of the request. Where it is invalid and the key is too, the answer is 401: an invalid key learns nothing else. */
    private <T> T read(KeyHash key, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (Problem invalid) {
            authenticator.caller(key);
            throw invalid;
        }
    }
}
