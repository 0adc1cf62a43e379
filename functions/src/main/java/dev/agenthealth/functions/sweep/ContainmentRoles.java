package dev.agenthealth.functions.sweep;

import dev.agenthealth.functions.storage.workflows.PoolStore;
import dev.agenthealth.model.health.containment.ContainmentCase;
import dev.agenthealth.model.health.containment.ContainmentGuard.RoleState;
import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.health.statistics.AgentStatistics;
import dev.agenthealth.model.health.statistics.GroupKind;
import dev.agenthealth.model.health.statistics.GroupStatistics;
import dev.agenthealth.model.health.statistics.Statistic;
import dev.agenthealth.model.identity.GroupNumber;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The states of roles for the guards of containment rules, from the counts of a pass. Agents without a role count as one role. */
final class ContainmentRoles {

    private final FleetReading reading;
    private final GroupStatistics roles;
    private final Map<Long, Integer> minimums = new HashMap<>();

    ContainmentRoles(FleetReading reading, PoolStore.Watch pools) {
        this.reading = reading;
        this.roles = reading.statistics().of(GroupKind.ROLE);
        pools.minimums().forEach((roleId, minimum) -> minimums.put(GroupNumber.of(roleId), minimum));
    }

    /** @param cases the cases of all rules */
    RoleState of(ContainmentRule rule, long number, Stream<ContainmentCase> cases) {
        long callable = reading.pools().of(number) - roles.of(number).get(Statistic.VERDICT_BLOCKED);
        return RoleState.of(rule, number, agents(number), callable, minimums.getOrDefault(number, 0), cases);
    }

    private long agents(long number) {
        if (number != GroupNumber.NONE) {
            return live(roles.of(number));
        }
        long ofRoles = roles.byNumber().values().stream()
                .mapToLong(ContainmentRoles::live)
                .sum();
        return live(reading.statistics().fleet()) - ofRoles - live(roles.others());
    }

    private static long live(AgentStatistics statistics) {
        return statistics.agents() - statistics.dead();
    }
}
