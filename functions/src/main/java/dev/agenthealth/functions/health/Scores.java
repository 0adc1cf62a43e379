package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiRequest;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.http.Fields;
import dev.agenthealth.functions.runtime.http.Period;
import dev.agenthealth.functions.runtime.json.Decimals;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.BlockedAgents;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.health.HistoryPoint;
import dev.agenthealth.functions.storage.outcomes.SliceStore;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.outcome.Evaluation;
import dev.agenthealth.model.registry.profile.Expectations;
import dev.agenthealth.model.registry.profile.ProbeState;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The score of an agent and its history. Thread-safe. */
public final class Scores {

    private static final Duration MAX_LOOK = Duration.ofDays(30);
    private static final Duration WIDEST_SLICE = Duration.ofHours(4);
    private static final String FIVE_MINUTES = "five_minutes";

    private final HealthReadings readings;
    private final HealthStore healths;
    private final SliceStore slices;
    private final ProbeStore probes;
    private final Database database;
    private final AgentAccess access;
    private final Clock clock;

    public Scores(Database database, Clock clock) {
        this.readings = new HealthReadings(database, clock);
        this.database = database;
        this.probes = new ProbeStore(database);
        this.healths = new HealthStore(database);
        this.slices = new SliceStore(database);
        this.access = new AgentAccess(new AgentStore(database));
        this.clock = clock;
    }

    /**
     * Returns the score as last computed.
     *
     * @throws ApiError 403 and 404 as for the agent's record; 410 if the agent is deregistered
     */
    public AgentScore current(Caller caller, String agentId) {
        StoredAgent agent = access.find(caller, agentId);
        HealthReading reading = readings.asComputed(agent);
        Facts facts = BlockedAgents.now(database)
                .facts(agent.listed(), clock.instant())
                .measured(
                        reading.health().measurement(), reading.health().score().state());
        return new AgentScore(reading, facts, VerdictSentences.of(facts, reading, agent.pulse(), probes(agent)));
    }

    /** Returns the results of the probes of a watched agent that is unhealthy or dead. */
    private ProbeState probes(StoredAgent agent) {
        LifecycleStatus status = agent.pulse().status();
        boolean silent = status == LifecycleStatus.UNHEALTHY || status == LifecycleStatus.DEAD;
        return silent && agent.profile().watch().isWatched()
                ? probes.find(agent.pulse().agentId())
                : ProbeState.NONE;
    }

    /**
     * {@code GET /api/v1/agents/{agent_id}/health/history}: one point per hour from {@code from} to {@code to}, and one point for each
     * change within an hour. The oldest point is first.
     *
     * <p>The history stays after the agent is deregistered. With {@code resolution=five_minutes}, the answer has the outcomes of each five
     * minutes, for two measurement windows.
     *
     * @throws ApiError 403 and 404 as for the agent's record; 400 for an empty or too long period
     */
    ApiResponse history(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Fields query = request.queryFields();
        Period period = Period.of(query, clock.instant(), MAX_LOOK);
        boolean byOutcomes = query.oneOf("resolution", "hour", FIVE_MINUTES)
                .filter(FIVE_MINUTES::equals)
                .isPresent();
        query.check();
        StoredAgent agent = access.find(request.caller(), agentId);
        ObjectNode json = Json.object();
        ArrayNode points = json.putArray("points");
        if (byOutcomes) {
            long first = period.from().minus(WIDEST_SLICE).getEpochSecond();
            Expectations expectations = agent.profile().basis().expectations();
            OutcomePoints.add(
                    points,
                    slices.readFrom(agentId, Math.max(0, first), expectations).counts(),
                    period);
        } else if (!period.from().isAfter(period.to())) {
            healths.history(agentId, period.from(), period.to()).forEach(point -> points.add(json(point)));
        }
        return ApiResponse.json(200, json);
    }

    private static ObjectNode json(HistoryPoint point) {
        ObjectNode json = Json.object().put("at", Timestamps.text(point.at()));
        point.score().ifPresentOrElse(score -> json.put("score", score), () -> json.putNull("score"));
        json.put("state", point.state().wireName());
        json.put("health_status", point.status().wireName());
        json.put("lifecycle_status", point.lifecycle().wireName());
        if (point.measured().samples() > 0) {
            json.put("response_ratio", Decimals.share(point.measured().responseRatio()));
            HealthJson.putLatencies(
                    json, point.measured().latencyP50Ms(), point.measured().latencyP99Ms());
        } else {
            List.of("response_ratio", "latency_p50_ms", "latency_p99_ms").forEach(json::putNull);
        }
        double quality = point.measured().quality();
        json.put("quality", quality == Evaluation.NO_QUALITY ? null : Decimals.share(quality));
        json.put("sample_count", point.measured().samples());
        return json;
    }
}
