package dev.agenthealth.functions.health.availability;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.model.health.availability.Availability;
import java.time.Clock;
import java.util.Optional;

/** The availability of agents and roles in the last 90 days, for publication. Thread-safe. */
public final class SubjectAvailability {

    private final AgentStore agents;
    private final AgentAvailability ofAgents;
    private final GroupAvailabilities ofGroups;

    public SubjectAvailability(Database database, Clock clock) {
        this.agents = new AgentStore(database);
        this.ofAgents = new AgentAvailability(database, clock);
        this.ofGroups = new GroupAvailabilities(database, clock);
    }

    /** Returns the availability of an agent; empty if the agent is unknown. */
    public Optional<Availability> ofAgent(String agentId) {
        return agents.find(agentId)
                .map(agent -> ofAgents.read(agent, Window.QUARTER).availability());
    }

    /** Returns the availability of a role; empty if no agent and no workflow names it. */
    public Optional<Availability> ofRole(String roleId) {
        return ofGroups.find(roleId, Window.QUARTER);
    }
}
