package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.runtime.json.Json;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.audit.AuditEntry;
import dev.agenthealth.functions.storage.audit.AuditObject;
import dev.agenthealth.functions.storage.audit.AuditStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.dynamo.OptimisticUpdates;
import dev.agenthealth.model.identity.Author;
import dev.agenthealth.model.registry.lifecycle.DownRule;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import java.time.Clock;

/** Dismisses dead agents: an operator confirms that they will not return, so that they no longer count as down. Thread-safe. */
public final class Dismissals {

    private final Database database;
    private final AgentAccess access;
    private final Clock clock;

    public Dismissals(Database database, Clock clock) {
        this.database = database;
        this.access = new AgentAccess(new AgentStore(database));
        this.clock = clock;
    }

    /**
     * Dismisses a dead agent and publishes an event. Does nothing if the agent is already gone. Its next registration ends the dismissal.
     *
     * @param note the reason; empty for no reason
     * @throws ApiError 404 for an unknown agent; 403 if the caller may not act on it; 409 if it is not dead
     */
    public void dismiss(Author author, String agentId, String note) {
        OptimisticUpdates.untilDone(() -> {
            StoredAgent agent = access.findToCoordinate(author.caller(), agentId);
            LifecycleStatus status = agent.pulse().status();
            if (!status.hasEnded()) {
                throw ApiError.conflict(
                        "agent_not_dead",
                        "Agent '" + agentId + "' is " + status.wireName() + ", and only a dead agent is dismissed.");
            }
            // Only agents that are gone are archived.
            return DownRule.isOver(agent.pulse(), clock.instant())
                    || agent.archived()
                    || recording(author, agentId)
                            .dismiss(agent.pulse(), agent.profile().roleId(), author.id(), note);
        });
    }

    private AgentStore recording(Author author, String agentId) {
        return AuditStore.recording(
                database,
                AuditEntry.of(author, "agent.dismissed", AuditObject.agent(agentId), Json.object()),
                AgentStore::new);
    }
}
