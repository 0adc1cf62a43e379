package dev.agenthealth.functions.problems;

import dev.agenthealth.functions.storage.agents.AgentStore;
import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.problem.SubjectProblem;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which problems a caller may see: those of its roles and of its own agents. Thread-safe. */
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

    /** Returns whether an agent is dead now, archived or not. */
    boolean isDead(String agentId) {
        return agents.find(agentId)
                .filter(agent -> agent.pulse().status() == LifecycleStatus.DEAD)
                .isPresent();
    }

    /** Those of the problems that the caller may see, in their order. No request for callers that see all roles. */
    List<SubjectProblem> visible(Caller caller, List<SubjectProblem> problems) {
        List<String> others = problems.stream()
                .filter(problem -> !caller.maySeeRole(problem.roleId()))
                .map(SubjectProblem::agentId)
                .filter(agentId -> !agentId.isEmpty())
                .distinct()
                .toList();
        Set<String> visible = others.isEmpty()
                ? Set.of()
                : agents.listed(pulses.findAll(others)).stream()
                        .filter(agent -> caller.mayActOn(
                                agent.pulse().owner(), agent.profile().roleId()))
                        .map(agent -> agent.pulse().agentId())
                        .collect(Collectors.toSet());
        return problems.stream()
                .filter(problem -> caller.maySeeRole(problem.roleId()) || visible.contains(problem.agentId()))
                .toList();
    }
}
