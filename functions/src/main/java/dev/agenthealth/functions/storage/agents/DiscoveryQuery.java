package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.AgentProfile;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Which agents are asked for (RFC-0016 §6.2). All filters hold together.
 *
 * @param statuses lifecycle statuses, at least one
 * @param capabilities agents with any of these; empty for all agents
 * @param roleIds agents of any of these roles; empty for all agents
 * @param minAvailableCapacity agents with room for so many more tasks; negative for all agents
 */
public record DiscoveryQuery(
        Set<LifecycleStatus> statuses, List<String> capabilities, Set<String> roleIds, int minAvailableCapacity) {

    /** Capacity does not matter. */
    public static final int ANY_CAPACITY = -1;

    public DiscoveryQuery {
        statuses = Set.copyOf(statuses);
        capabilities = List.copyOf(capabilities);
        roleIds = Set.copyOf(roleIds);
    }

    /** Whether any of the agents asked for is alive. */
    boolean asksForLiving() {
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
