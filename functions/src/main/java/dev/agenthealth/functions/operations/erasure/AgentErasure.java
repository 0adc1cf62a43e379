package dev.agenthealth.functions.operations.erasure;

import dev.agenthealth.functions.api.access.Access;
import dev.agenthealth.functions.api.routes.Routes;
import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.http.ApiResponse;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.runtime.observation.Log;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.Erasure;
import dev.agenthealth.functions.storage.agents.ErasureStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Erases dead and deregistered agents, in pages, for a limited time per request. Thread-safe. */
public final class AgentErasure {

    /** The time within a request after which no further page starts. */
    private static final Duration MAX_RUN = Duration.ofSeconds(15);

    /** A time longer than the function may run. A request that claimed the erasure has ended by then. */
    private static final Duration TAKEN_FOR = Duration.ofSeconds(35);

    private static final Duration LEASES_END_WITHIN = Duration.ofSeconds(60);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private final Database database;
    private final AgentStore agents;
    private final ErasureStore erasures;
    private final Clock clock;
    private final Log log;

    public AgentErasure(Database database, Clock clock, Log log) {
        this.database = database;
        this.agents = new AgentStore(database);
        this.erasures = new ErasureStore(database);
        this.clock = clock;
        this.log = log;
    }

    public void addTo(Routes routes) {
        routes.on(
                "DELETE /v1/admin/agents/{agent_id}",
                Access.ADMINISTRATOR,
                request -> erase(request.author(), request.pathId("agent_id")));
    }

    /**
     * Continues an erasure.
     *
     * @return 204 if it is complete, 202 with the time after which to repeat the request
     * @throws ApiError 404 for an unknown agent, 409 if it is neither dead nor deregistered
     */
    private ApiResponse erase(Author administrator, String agentId) {
        return OptimisticUpdates.untilPresent(() -> {
            Optional<Erasure> begun = erasures.find(agentId);
            return begun.isPresent()
                    ? begun.map(erasure -> proceed(administrator, erasure))
                    : begin(administrator, agentId);
        });
    }

    private ApiResponse proceed(Author administrator, Erasure erasure) {
        String agentId = erasure.agentId();
        if (erasure.done()) {
            return ApiResponse.noContent();
        }
        Instant now = clock.instant();
        if (erasure.isSettling(now)) {
            return unfinished(agentId, Duration.between(now, erasure.settledAt()));
        }
        Instant until = now.plus(TAKEN_FOR);
        if (!erasures.claim(erasure, until)) {
            return unfinished(agentId, TAKEN_FOR);
        }
        // Another request may have continued the erasure before this request claimed it.
        Erasure after = advanced(erasures.find(agentId).orElse(erasure));
        if (!erasures.put(after, until) || !after.done()) {
            return unfinished(agentId, wait(after));
        }
        log.info("agent_erased", Map.of("agent_id", agentId, "by", administrator.id()));
        return ApiResponse.noContent();
    }

    /** Starts the erasure. From then on, the agent is unknown. Returns an answer only while the agent's leases are being ended. */
    private Optional<ApiResponse> begin(Author administrator, String agentId) {
        Optional<StoredAgent> agent = agents.find(agentId);
        if (agent.isEmpty()) {
            if (!erasures.isLeftOver(agentId)) {
                throw AgentError.unknownAgent(agentId);
            }
            return begun(
                    administrator, agentId, recording(administrator, agentId).beginForgotten(agentId));
        }
        Pulse pulse = agent.get().pulse();
        if (!pulse.status().hasEnded()) {
            throw ApiError.conflict(
                    "agent_not_gone",
                    "Agent '" + agentId + "' is " + pulse.status().wireName()
                            + "; it must be deregistered before it is erased.");
        }
        // An archived agent has no clean-up, even if its tombstone names one.
        if (!agent.get().archived() && pulse.cleanUp().isPending()) {
            return Optional.of(unfinished(agentId, LEASES_END_WITHIN));
        }
        erasures.removeMappings(agent.get());
        return begun(administrator, agentId, recording(administrator, agentId).begin(agent.get()));
    }

    private ErasureStore recording(Author administrator, String agentId) {
        AuditEntry entry = AuditEntry.of(administrator, "agent.erased", AuditObject.agent(agentId), Json.object());
        return AuditStore.recording(database, entry, ErasureStore::new);
    }

    /** Logs the beginning if this request wrote it. The next attempt reads the erasure. */
    private Optional<ApiResponse> begun(Author administrator, String agentId, boolean written) {
        if (written) {
            log.info("agent_erasure_begun", Map.of("agent_id", agentId, "by", administrator.id()));
        }
        return Optional.empty();
    }

    private Erasure advanced(Erasure taken) {
        Instant until = clock.instant().plus(MAX_RUN);
        Erasure erasure = taken;
        if (!erasure.isUnderWay()) {
            erasure = erasure.passBegun(clock.instant());
            erasures.eraseElsewhere(erasure.agentId());
        }
        while (clock.instant().isBefore(until)) {
            String next = erasures.erasePage(erasure.agentId(), erasure.position());
            if (next.isEmpty()) {
                return erasure.passComplete();
            }
            erasure = erasure.at(next);
        }
        return erasure;
    }

    private Duration wait(Erasure after) {
        Instant now = clock.instant();
        return after.isSettling(now) ? Duration.between(now, after.settledAt()) : AT_ONCE;
    }

    private static ApiResponse unfinished(String agentId, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return ApiResponse.json(
                        202,
                        Json.object()
                                .put("agent_id", agentId)
                                .put("done", false)
                                .put("retry_after_seconds", seconds))
                .with("Retry-After", Long.toString(seconds));
    }
}
