package dev.agenthealth.functions.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.http.ApiRequest;
import dev.agenthealth.functions.http.ApiResponse;
import dev.agenthealth.functions.http.Fields;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.json.Decimals;
import dev.agenthealth.functions.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.health.HealthStore;
import dev.agenthealth.functions.storage.health.HistoryPoint;
import dev.agenthealth.functions.storage.probes.ProbeStore;
import dev.agenthealth.functions.trust.BlockedAgents;
import dev.agenthealth.model.Timestamps;
import dev.agenthealth.model.health.HealthReading;
import dev.agenthealth.model.health.VerdictReason.Facts;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.profile.ProbeState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The score of an agent and its history. Thread-safe. */
public final class Scores {

    private static final Duration DEFAULT_LOOK_BACK = Duration.ofHours(24);
    private static final Duration MAX_LOOK = Duration.ofDays(30);

    private final HealthReadings readings;
    private final HealthStore healths;
    private final ProbeStore probes;
    private final Database database;
    private final AgentAccess access;
    private final Clock clock;

    public Scores(Database database, Clock clock) {
        this.readings = new HealthReadings(database, clock);
        this.database = database;
        this.probes = new ProbeStore(database);
        this.healths = new HealthStore(database);
        this.access = new AgentAccess(new AgentStore(database));
        this.clock = clock;
    }

    /**
     * The score as last computed.
     *
     * @throws Problem 403 and 404 as for the agent's record, 410 where it is deregistered
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

    /** What the probes of a watched agent found, where it is silent. */
    private ProbeState probes(StoredAgent agent) {
        LifecycleStatus status = agent.pulse().status();
        boolean silent = status == LifecycleStatus.UNHEALTHY || status == LifecycleStatus.DEAD;
        return silent && agent.profile().watch().isWatched()
                ? probes.find(agent.pulse().agentId())
                : ProbeState.NONE;
    }

    /**
     * {@code GET /api/v1/agents/{agent_id}/health/history}: one point per hour from {@code from} to {@code to}, and one at each
     * change within an hour, oldest first. The history is kept after the agent is deregistered.
     *
     * @throws Problem 403 and 404 as for the agent's record, 400 for an empty or too long period
     */
    ApiResponse history(ApiRequest request) {
        String agentId = request.pathId("agent_id");
        Fields query = request.queryFields();
        Instant to = query.timestamp("to").orElseGet(clock::instant);
        Instant from = query.timestamp("from").orElseGet(() -> dayBefore(to));
        if (!from.isBefore(to)) {
            query.refuse("from", "must be before 'to', which is now where it is left out");
        } else if (Duration.between(from, to).compareTo(MAX_LOOK) > 0) {
            query.refuse("from", "must be at most 30 days before 'to'");
        }
        query.check();
        access.find(request.caller(), agentId);
        ObjectNode json = Json.object();
        ArrayNode points = json.putArray("points");
        // Clamps to [epoch, now]: the keys of other moments do not sort by time.
        Instant first = from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
        Instant last = to.isAfter(clock.instant()) ? clock.instant() : to;
        if (!first.isAfter(last)) {
            healths.history(agentId, first, last).forEach(point -> points.add(json(point)));
        }
        return ApiResponse.json(200, json);
    }

    private static Instant dayBefore(Instant moment) {
        return moment.isBefore(Instant.EPOCH) ? Instant.MIN : moment.minus(DEFAULT_LOOK_BACK);
    }

    private static ObjectNode json(HistoryPoint point) {
        ObjectNode json = Json.object().put("at", Timestamps.text(point.at()));
        point.score().ifPresentOrElse(score -> json.put("score", score), () -> json.putNull("score"));
        json.put("state", point.state().wireName());
        json.put("health_status", point.status().wireName());
        json.put("lifecycle_status", point.lifecycle().wireName());
        if (point.samples() > 0) {
            json.put("response_ratio", Decimals.share(point.responseRatio()));
            HealthJson.putLatencies(json, point.latencyP50Ms(), point.latencyP99Ms());
        } else {
            List.of("response_ratio", "latency_p50_ms", "latency_p99_ms").forEach(json::putNull);
        }
        json.put("sample_count", point.samples());
        return json;
    }
}
