package dev.agenthealth.functions.storage.agents;

import dev.agenthealth.model.identity.Caller;
import dev.agenthealth.model.registry.lifecycle.LifecycleStatus;
import dev.agenthealth.model.registry.lifecycle.Pulse;
import dev.agenthealth.model.registry.profile.ListedProfile;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The filters of a listing of agents (RFC-0016 §6.2). An agent passes if it passes all filters.
 *
 * @param statuses lifecycle statuses, at least one
 * @param capabilities agents with these capabilities
 * @param roleIds agents of any of these roles; empty for all agents
 * @param owner agents that this caller owns; empty for all agents
 * @param minAvailableCapacity agents with at least this available capacity; empty for all agents
 * @param ofCatalogue agents that asked to be shown in the catalogue; {@code false} for all agents
 * @param archived whether archived agents are searched; they are kept for 400 days, and all of them are gone
 */
public record DiscoveryQuery(
        Set<LifecycleStatus> statuses,
        Capabilities capabilities,
        Set<String> roleIds,
        Optional<Caller> owner,
        OptionalInt minAvailableCapacity,
        boolean ofCatalogue,
        boolean archived) {

    /**
     * The wanted capabilities.
     *
     * @param tags the capabilities; empty for all agents
     * @param all whether an agent needs all of them, not only one
     */
    public record Capabilities(List<String> tags, boolean all) {

        /** All agents. */
        public static final Capabilities ANY = new Capabilities(List.of(), false);

        public Capabilities {
            tags = List.copyOf(tags);
        }

        boolean match(List<String> declared) {
            return tags.isEmpty() || (all ? declared.containsAll(tags) : !Collections.disjoint(tags, declared));
        }
    }

    /** The agents in the catalogue that take new work. */
    public static final DiscoveryQuery CATALOGUE = new DiscoveryQuery(
            Set.of(LifecycleStatus.ACTIVE),
            Capabilities.ANY,
            Set.of(),
            Optional.empty(),
            OptionalInt.empty(),
            true,
            false);

    public DiscoveryQuery {
        statuses = Set.copyOf(statuses);
        roleIds = Set.copyOf(roleIds);
    }

    /** Returns a query of the agents in these statuses. */
    public static DiscoveryQuery ofStatuses(Set<LifecycleStatus> statuses) {
        return new DiscoveryQuery(
                statuses, Capabilities.ANY, Set.of(), Optional.empty(), OptionalInt.empty(), false, true);
    }

    /** Returns the part of this query that a caller may list: the agents of its roles, or the agents that it owns. */
    public DiscoveryQuery within(Caller caller) {
        if (!caller.mayListAgents()) {
            return with(roleIds, Optional.of(caller));
        }
        if (caller.roleIds().isEmpty()) {
            return this;
        }
        Set<String> seen = new HashSet<>(caller.roleIds());
        if (!roleIds.isEmpty()) {
            seen.retainAll(roleIds);
        }
        return with(seen, owner);
    }

    private DiscoveryQuery with(Set<String> newRoleIds, Optional<Caller> newOwner) {
        return new DiscoveryQuery(
                statuses, capabilities, newRoleIds, newOwner, minAvailableCapacity, ofCatalogue, archived);
    }

    /** Returns whether the query includes a status of monitored agents. */
    boolean includesMonitored() {
        return !Collections.disjoint(statuses, LifecycleStatus.MONITORED);
    }

    /** Returns whether the query is answered from discovery tags. */
    boolean isByTags() {
        return !capabilities.tags().isEmpty() || !roleIds.isEmpty();
    }

    /** Returns whether the query includes all monitored agents, whatever their status. */
    boolean isOfAllMonitored() {
        return !isByTags() && statuses.containsAll(LifecycleStatus.MONITORED);
    }

    boolean matches(Pulse pulse) {
        return statuses.contains(pulse.status())
                && owner.filter(caller -> !caller.owns(pulse.owner())).isEmpty()
                && (minAvailableCapacity.isEmpty() || hasRoom(pulse.workload().available()));
    }

    /** Returns whether the available capacity is sufficient. An agent without a declared maximum has no available capacity to compare. */
    private boolean hasRoom(OptionalInt available) {
        return available.isPresent() && available.getAsInt() >= minAvailableCapacity.getAsInt();
    }

    boolean matches(ListedProfile profile) {
        return (!ofCatalogue || profile.inCatalogue())
                && (roleIds.isEmpty() || roleIds.contains(profile.roleId()))
                && capabilities.match(profile.capabilities());
    }
}
