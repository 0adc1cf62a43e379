package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.lifecycle.LifecycleStatus;
import dev.agenthealth.model.lifecycle.Pulse;
import dev.agenthealth.model.profile.ListedProfile;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The filters of a listing of agents (RFC-0016 §6.2). An agent passes if all of them hold.
 *
 * @param statuses lifecycle statuses, at least one
 * @param capabilities agents with any of these; empty for all agents
 * @param roleIds agents of any of these roles; empty for all agents
 * @param owner agents that this caller owns; empty for all agents
 * @param minAvailableCapacity agents with room for at least this many more tasks; negative for all agents
 * @param ofCatalogue agents that asked to be shown in the catalogue; {@code false} for all agents
 */
public record DiscoveryQuery(
        Set<LifecycleStatus> statuses,
        List<String> capabilities,
        Set<String> roleIds,
        Optional<Caller> owner,
        int minAvailableCapacity,
        boolean ofCatalogue) {

    /** The agents in the catalogue that take new work. */
    public static final DiscoveryQuery CATALOGUE =
            new DiscoveryQuery(Set.of(LifecycleStatus.ACTIVE), List.of(), Set.of(), Optional.empty(), -1, true);

    /** No filter by capacity. */
    public static final int ANY_CAPACITY = -1;

    public DiscoveryQuery {
        statuses = Set.copyOf(statuses);
        capabilities = List.copyOf(capabilities);
        roleIds = Set.copyOf(roleIds);
    }

    /** A query of all agents, in the catalogue or not. */
    public DiscoveryQuery(
            Set<LifecycleStatus> statuses,
            List<String> capabilities,
            Set<String> roleIds,
            Optional<Caller> owner,
            int minAvailableCapacity) {
        this(statuses, capabilities, roleIds, owner, minAvailableCapacity, false);
    }

    /** The same query of the agents that a caller may list: those of its roles, or those that it owns. */
    public DiscoveryQuery within(Caller caller) {
        if (!caller.mayListAgents()) {
            return new DiscoveryQuery(statuses, capabilities, roleIds, Optional.of(caller), minAvailableCapacity);
        }
        if (caller.roleIds().isEmpty()) {
            return this;
        }
        Set<String> seen = new HashSet<>(caller.roleIds());
        if (!roleIds.isEmpty()) {
            seen.retainAll(roleIds);
        }
        return new DiscoveryQuery(statuses, capabilities, seen, owner, minAvailableCapacity);
    }

    /** Whether any of the statuses is that of a monitored agent. */
    boolean includesMonitored() {
        return !Collections.disjoint(statuses, LifecycleStatus.MONITORED);
    }

    /** Whether it is answered from discovery tags. */
    boolean isByTags() {
        return !capabilities.isEmpty() || !roleIds.isEmpty();
    }

    /** Whether it is a query of all monitored agents, whatever they do. */
    boolean isOfAllMonitored() {
        return !isByTags() && statuses.containsAll(LifecycleStatus.MONITORED);
    }

    boolean matches(Pulse pulse) {
        return statuses.contains(pulse.status())
                && owner.filter(caller -> !caller.owns(pulse.owner())).isEmpty()
                && (minAvailableCapacity < 0 || pulse.workload().hasRoomFor(minAvailableCapacity));
    }

    boolean matches(ListedProfile profile) {
        return (!ofCatalogue || profile.inCatalogue())
                && (roleIds.isEmpty() || roleIds.contains(profile.roleId()))
                && (capabilities.isEmpty() || !Collections.disjoint(capabilities, profile.capabilities()));
    }
}
