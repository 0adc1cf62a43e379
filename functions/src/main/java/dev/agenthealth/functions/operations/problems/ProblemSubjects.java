package dev.agenthealth.functions.operations.problems;

import dev.agenthealth.functions.storage.dynamo.Database;
import dev.agenthealth.functions.storage.pulses.PulseRow;
import dev.agenthealth.functions.storage.pulses.PulseStore;
import dev.agenthealth.functions.storage.system.StatisticsStore;
import dev.agenthealth.functions.storage.workflows.GroupStore;
import dev.agenthealth.model.event.ProblemKind;
import dev.agenthealth.model.health.HealthSummary;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.operations.problem.ProblemText.Now;
import dev.agenthealth.model.operations.problem.ProblemText.PoolNow;
import dev.agenthealth.model.operations.problem.SubjectProblem;
import dev.agenthealth.model.registry.workflow.RoleContact;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the present state of the subjects of problems. Thread-safe. */
final class ProblemSubjects {

    /** The maximum number of rows per request. */
    private static final int MAX_ROWS = 100;

    private final PulseStore pulses;
    private final GroupStore groups;
    private final StatisticsStore statistics;

    ProblemSubjects(Database database) {
        this.pulses = new PulseStore(database);
        this.groups = new GroupStore(database);
        this.statistics = new StatisticsStore(database);
    }

    /** Returns the state of each subject, in the order of the problems. A closed problem keeps the text of its event. */
    List<Now> of(List<SubjectProblem> problems) {
        Map<String, PulseRow> rows = rows(problems);
        Map<String, PoolNow> pools = pools(problems);
        return problems.stream()
                .map(problem -> problem.isClosed() ? Now.UNKNOWN : now(problem, rows, pools))
                .toList();
    }

    /** Returns the contacts of the roles of problems. Costs one request if a problem names a role. */
    Map<String, RoleContact> contacts(List<SubjectProblem> problems) {
        List<String> roleIds = problems.stream()
                .map(SubjectProblem::namedRoleId)
                .filter(roleId -> !roleId.isEmpty())
                .distinct()
                .toList();
        return roleIds.isEmpty() ? Map.of() : groups.contacts(roleIds);
    }

    private static Now now(SubjectProblem problem, Map<String, PulseRow> rows, Map<String, PoolNow> pools) {
        Optional<PulseRow> row = Optional.ofNullable(rows.get(problem.namedAgentId()));
        return new Now(
                row.map(PulseRow::pulse),
                row.map(PulseRow::health).orElse(HealthSummary.NONE),
                problem.kind() == ProblemKind.POOL
                        ? Optional.ofNullable(pools.get(problem.roleId()))
                        : Optional.empty());
    }

    /** Reads the rows of the agents with an open problem. Costs one request for {@value #MAX_ROWS} agents. */
    private Map<String, PulseRow> rows(List<SubjectProblem> problems) {
        List<String> agentIds = problems.stream()
                .filter(problem -> !problem.isClosed())
                .map(SubjectProblem::namedAgentId)
                .filter(agentId -> !agentId.isEmpty())
                .distinct()
                .toList();
        Map<String, PulseRow> rows = new HashMap<>();
        for (int from = 0; from < agentIds.size(); from += MAX_ROWS) {
            pulses.findAll(agentIds.subList(from, Math.min(from + MAX_ROWS, agentIds.size())))
                    .forEach(row -> rows.put(row.pulse().agentId(), row));
        }
        return rows;
    }

    /** Reads the sizes of pools with an open problem, as the sweep counted them last. Costs two requests if there is such a pool. */
    private Map<String, PoolNow> pools(List<SubjectProblem> problems) {
        List<String> roleIds = problems.stream()
                .filter(problem -> !problem.isClosed() && problem.kind() == ProblemKind.POOL)
                .map(SubjectProblem::roleId)
                .distinct()
                .toList();
        Map<String, PoolNow> pools = new HashMap<>();
        if (!roleIds.isEmpty()) {
            Map<String, GroupStore.Role> declared = groups.declarations(roleIds);
            statistics
                    .latest()
                    .ifPresent(latest -> declared.forEach((roleId, role) -> pools.put(
                            roleId,
                            new PoolNow(
                                    latest.statistics()
                                            .of(GroupKind.ROLE)
                                            .of(GroupNumber.of(roleId))
                                            .get(Statistic.ACTIVE),
                                    role.defaults().pool().minimum()))));
        }
        return pools;
    }
}
