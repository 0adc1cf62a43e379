package dev.agenthealth.functions.access;

import dev.agenthealth.functions.http.Problem;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.identity.Caller;
import java.util.Optional;

/** Finds the agent of a request for callers that may see it (RFC-0016, Security Considerations). Thread-safe. */
public final class AgentAccess {

    private final AgentStore agents;

    public AgentAccess(AgentStore agents) {
        this.agents = agents;
    }

    /**
     * The agent.
     *
     * @throws Problem 404 where there is none, 403 where the caller is neither the agent, nor its coordinator, nor an administrator
     */
    public StoredAgent find(Caller caller, String agentId) {
        return findIfKnown(caller, agentId).orElseThrow(() -> Problem.unknownAgent(agentId));
    }

    /**
     * The agent, for its owner and administrators.
     *
     * @throws Problem 404 where there is none, 403 where the caller is neither its owner nor an administrator
     */
    public StoredAgent findOwned(Caller caller, String agentId) {
        StoredAgent agent = agents.find(agentId).orElseThrow(() -> Problem.unknownAgent(agentId));
        if (!caller.isAdministrator() && !caller.owns(agent.pulse().owner())) {
            throw Problem.forbidden("Only the key that registered '" + agentId + "' and administrators may do this.");
        }
        return agent;
    }

    /**
     * The agent; empty where there is none.
     *
     * @throws Problem 403 where the caller may not see it
     */
    public Optional<StoredAgent> findIfKnown(Caller caller, String agentId) {
        Optional<StoredAgent> found = agents.find(agentId);
        found.ifPresent(agent -> check(caller, agentId, agent));
        return found;
    }

    private static void check(Caller caller, String agentId, StoredAgent agent) {
        if (!caller.mayActOn(agent.pulse().owner(), agent.profile().roleId())) {
            throw Problem.forbidden(
                    "Only the agent itself, its coordinator and administrators may do this with '" + agentId + "'.");
        }
    }
}
