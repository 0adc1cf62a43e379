package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The filters of a listing of agents (RFC-0016 §6.2). An agent passes if all of them hold.
 *
 * @param statuses lifecycle statuses, at least one
 * @param capabilities agents with any of these; empty for all agents
 * @param roleIds agents of any of these roles; empty for all agents
 * @param minAvailableCapacity agents with room for at least this many more tasks; negative for all agents
 */
public record DiscoveryQuery(
        Set<LifecycleStatus> statuses, List<String> capabilities, Set<String> roleIds, int minAvailableCapacity) {

    /** No filter by capacity. */
    public static final int ANY_CAPACITY = -1;

    public DiscoveryQuery {
        statuses = Set.copyOf(statuses);
        capabilities = List.copyOf(capabilities);
        roleIds = Set.copyOf(roleIds);
    }

    /** Whether any of the statuses is that of a monitored agent. */
    boolean includesMonitored() {
        return !Collections.disjoint(statuses, LifecycleStatus.MONITORED);
    }

    boolean matches(Pulse pulse) {
        return statuses.contains(pulse.status())
                && (minAvailableCapacity < 0 || pulse.workload().hasRoomFor(minAvailableCapacity));
    }

    boolean matches(AgentProfile profile) {
        return (roleIds.isEmpty() || roleIds.contains(profile.roleId()))
                && (capabilities.isEmpty() || !Collections.disjoint(capabilities, profile.capabilities()));
    }
}
