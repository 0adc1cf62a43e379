package dev.agenthealth.functions.api.access;

import dev.agenthealth.functions.runtime.http.AgentError;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.StoredAgent;
import dev.agenthealth.model.identity.Caller;
import java.util.List;
import java.util.Optional;

/** Finds the agent of a request if the caller may see the agent (RFC-0016, Security Considerations). Thread-safe. */
public final class AgentAccess {

    private final AgentStore agents;

    public AgentAccess(AgentStore agents) {
        this.agents = agents;
    }

    /**
     * Returns the agent.
     *
     * @throws ApiError 404 if there is no such agent, 403 if the caller is neither the agent, nor its coordinator, nor an
     *     administrator
     */
    public StoredAgent find(Caller caller, String agentId) {
        return findIfKnown(caller, agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
    }

    /**
     * Returns the agent and its profile, both of the same version.
     *
     * @throws ApiError as {@link #find}
     */
    public StoredAgent findWhole(Caller caller, String agentId) {
        StoredAgent agent = agents.findWhole(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
        check(caller, agentId, agent);
        return agent;
    }

    /**
     * Returns the agent, for its owner and administrators.
     *
     * @throws ApiError 404 if there is no such agent, 403 if the caller is neither its owner nor an administrator
     */
    public StoredAgent findOwned(Caller caller, String agentId) {
        StoredAgent agent = agents.find(agentId).orElseThrow(() -> AgentError.unknownAgent(agentId));
        if (!caller.isAdministrator() && !caller.owns(agent.pulse().owner())) {
            throw ApiError.forbidden("Only the key that registered '" + agentId + "' and administrators may do this.");
        }
        return agent;
    }

    /**
     * Returns the agent, for callers that may drain, restart or deregister it.
     *
     * @throws ApiError as {@link #find}, and 403 if the agent names its coordinators and the caller is another coordinator
     */
    public StoredAgent findToCoordinate(Caller caller, String agentId) {
        StoredAgent agent = find(caller, agentId);
        checkMayCoordinate(caller, agent);
        return agent;
    }

    /**
     * Refuses other coordinators if the agent names its coordinators.
     *
     * @throws ApiError 403
     */
    public static void checkMayCoordinate(Caller caller, StoredAgent agent) {
        if (!mayCoordinate(caller, agent)) {
            throw ApiError.forbidden(
                    "Only the agent itself, the coordinators that it names and administrators may do this" + " with '"
                            + agent.pulse().agentId() + "'.");
        }
    }

    /**
     * Returns whether a caller with access to an agent may act on it. If the agent names its coordinators, only they, its owner and
     * administrators may.
     */
    public static boolean mayCoordinate(Caller caller, StoredAgent agent) {
        List<String> named = agent.profile().description().coordinators();
        return named.isEmpty()
                || named.contains(caller.keyId())
                || caller.owns(agent.pulse().owner())
                || caller.isAdministrator();
    }

    /**
     * Returns the agent; empty if there is no such agent.
     *
     * @throws ApiError 403 if the caller may not see the agent
     */
    public Optional<StoredAgent> findIfKnown(Caller caller, String agentId) {
        Optional<StoredAgent> found = agents.find(agentId);
        found.ifPresent(agent -> check(caller, agentId, agent));
        return found;
    }

    /**
     * Refuses a report of an erased agent by its owner if an operator ended the agent. The agent's process then stops, and does not
     * register the agent again.
     *
     * @throws ApiError 410
     */
    public void refuseWhereOperatorEnded(Caller caller, String agentId) {
        agents.erased(agentId)
                .filter(erased -> erased.end().isByOperator() && caller.owns(erased.owner()))
                .ifPresent(erased -> {
                    throw AgentError.gone(erased);
                });
    }

    private static void check(Caller caller, String agentId, StoredAgent agent) {
        if (!caller.mayActOn(agent.pulse().owner(), agent.profile().roleId())) {
            throw ApiError.forbidden(
                    "Only the agent itself, its coordinator and administrators may do this with '" + agentId + "'.");
        }
    }
}
