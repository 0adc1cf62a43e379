package dev.agenthealth.functions.operations.problems;

import dev.agenthealth.functions.api.access.AgentAccess;
import dev.agenthealth.functions.runtime.http.ApiError;
import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.agents.ListedAgent;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides which problems a caller may see: problems of its roles and of its own agents. Thread-safe. */
final class ProblemAccess {

    private final AgentStore agents;
    private final PulseStore pulses;

    ProblemAccess(Database database) {
        this.agents = new AgentStore(database);
        this.pulses = new PulseStore(database);
    }

    boolean maySee(Caller caller, SubjectProblem problem) {
        return caller.maySeeRole(problem.roleId())
                || !problem.agentId().isEmpty()
                        && agents.find(problem.agentId())
                                .filter(agent -> caller.mayActOn(
                                        agent.pulse().owner(), agent.profile().roleId()))
                                .isPresent();
    }

    /**
     * Refuses coordinators that the agent of a problem does not name.
     *
     * @throws ApiError 403 for such a coordinator
     */
    void checkMayDismiss(Caller caller, SubjectProblem problem) {
        if (!problem.agentId().isEmpty()) {
            agents.find(problem.agentId()).ifPresent(agent -> AgentAccess.checkMayCoordinate(caller, agent));
        }
    }

    /** Returns whether an agent is dead now, archived or not. */
    boolean isDead(String agentId) {
        return agents.find(agentId)
                .filter(agent -> agent.pulse().status() == LifecycleStatus.DEAD)
                .isPresent();
    }

    /** Returns the problems that the caller may see, in their order. It makes no request if the caller sees all roles. */
    List<SubjectProblem> visible(Caller caller, List<SubjectProblem> problems) {
        List<String> others = problems.stream()
                .filter(problem -> !caller.maySeeRole(problem.roleId()))
                .map(SubjectProblem::agentId)
                .filter(agentId -> !agentId.isEmpty())
                .distinct()
                .toList();
        Set<String> visible = others.isEmpty() ? Set.of() : visibleAgents(caller, others);
        return problems.stream()
                .filter(problem -> caller.maySeeRole(problem.roleId()) || visible.contains(problem.agentId()))
                .toList();
    }

    private Set<String> visibleAgents(Caller caller, List<String> agentIds) {
        Set<String> archived = new HashSet<>(agentIds);
        Set<String> visible = new HashSet<>();
        for (ListedAgent agent : agents.listed(pulses.findAll(agentIds))) {
            String agentId = agent.pulse().agentId();
            archived.remove(agentId);
            if (caller.mayActOn(agent.pulse().owner(), agent.profile().roleId())) {
                visible.add(agentId);
            }
        }
        if (archived.isEmpty()) {
            return visible;
        }
        Map<String, AgentProfile> profiles = agents.profiles(archived.stream());
        agents.tombstones(List.copyOf(archived)).stream()
                .filter(pulse -> Optional.ofNullable(profiles.get(pulse.agentId()))
                        .filter(profile -> caller.mayActOn(pulse.owner(), profile.roleId()))
                        .isPresent())
                .forEach(pulse -> visible.add(pulse.agentId()));
        return visible;
    }
}
