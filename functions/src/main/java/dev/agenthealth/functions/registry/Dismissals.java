package dev.agenthealth.functions.registry;

import dev.agenthealth.functions.access.AgentAccess;
import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.functions.storage.dynamo.Attempts;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.DownRule;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import java.time.Clock;

/** Dismisses dead agents: an operator says that they will not come back, so that they no longer count as down. Thread-safe. */
public final class Dismissals {

    private final AgentStore agents;
    private final AgentAccess access;
    private final Clock clock;

    public Dismissals(Database database, Clock clock) {
        this.agents = new AgentStore(database);
        this.access = new AgentAccess(agents);
        this.clock = clock;
    }

    /**
     * Dismisses a dead agent, with an event; does nothing where it is gone already. Its next registration ends the dismissal.
     *
     * @param note why; empty for no reason
     * @throws Problem 404 for an unknown agent, 403 where the caller may not act on it, 409 for one that is not dead
     */
    public void dismiss(Caller caller, String agentId, String note) {
        Attempts.untilDone(() -> {
            StoredAgent agent = access.find(caller, agentId);
            LifecycleStatus status = agent.pulse().status();
            if (!status.isGone()) {
                throw Problem.conflict(
                        "agent_not_dead",
                        "Agent '" + agentId + "' is " + status.wireName() + ", and only a dead agent is dismissed.");
            }
            // Only an agent that is gone is archived.
            return DownRule.isOver(agent.pulse(), clock.instant())
                    || agent.archived()
                    || agents.dismiss(agent.pulse(), agent.profile().roleId(), caller.keyId(), note);
        });
    }
}
