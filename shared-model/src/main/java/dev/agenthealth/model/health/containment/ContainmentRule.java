package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.health.statistics.FleetRow;
import dev.agenthealth.model.identity.GroupNumber;
import dev.agenthealth.model.registry.profile.AgentKind;
import dev.agenthealth.model.registry.profile.AgentProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A rule of operators that contains agents by itself. For example, it blocks every agent of a role that has been looping for five minutes.
 *
 * @param name the name, which is unique
 * @param createdAt the time at which the rule was first written
 * @param filter the agents that the rule covers
 * @param when the condition under which it acts on an agent
 * @param action the action
 * @param mode whether it acts, or only publishes what it would do
 * @param release how a block ends by itself; only the action {@link ContainmentAction#BLOCK} uses it
 */
public record ContainmentRule(
        String name,
        Instant createdAt,
        Filter filter,
        When when,
        ContainmentAction action,
        ContainmentMode mode,
        Release release) {

    /** The maximum number of rules. A pass of the sweep compares every agent with each of them. */
    public static final int MAX_RULES = 50;

    /** The time between two commands of a rule to the same agent. A rule must not restart an agent without end. */
    public static final Duration BETWEEN_COMMANDS = Duration.ofHours(1);

    /** The time for which no rule acts on an agent that a person unblocked. */
    public static final Duration AFTER_PERSON = Duration.ofHours(1);

    /** The part of a role that may be contained at once: one of this number of agents, and at least one agent. */
    private static final int SHARE = 5;

    /** Returns the rule with another time of its creation. */
    public ContainmentRule createdAt(Instant moment) {
        return new ContainmentRule(name, moment, filter, when, action, mode, release);
    }

    /**
     * The agents that a rule covers. An empty set covers all agents.
     *
     * @param roles the ids of roles
     * @param owners the ids of the keys that own agents
     * @param providers the ids of providers
     * @param capabilities capabilities; an agent needs one of them
     * @param kind the kind of the agents; empty for every kind
     */
    public record Filter(
            Set<String> roles,
            Set<String> owners,
            Set<String> providers,
            Set<String> capabilities,
            Optional<AgentKind> kind) {

        public Filter {
            roles = Set.copyOf(roles);
            owners = Set.copyOf(owners);
            providers = Set.copyOf(providers);
            capabilities = Set.copyOf(capabilities);
        }

        /** Returns whether the filter may cover an agent, by its row alone. */
        private boolean mayCover(FleetRow row) {
            return coversOwner(row.pulse().owner().keyId())
                    && names(roles, row.pulse().coordination().roleNumber())
                    && names(providers, row.summary().providerNumber());
        }

        private static boolean names(Set<String> groups, long number) {
            return groups.isEmpty() || groups.stream().anyMatch(group -> GroupNumber.of(group) == number);
        }

        private boolean coversOwner(String ownerKeyId) {
            return owners.isEmpty() || owners.contains(ownerKeyId);
        }

        /** Returns whether the filter covers an agent. */
        public boolean covers(String ownerKeyId, AgentProfile profile) {
            return coversOwner(ownerKeyId)
                    && (roles.isEmpty() || roles.contains(profile.roleId()))
                    && (providers.isEmpty()
                            || providers.contains(profile.description().providerId()))
                    && (capabilities.isEmpty()
                            || !Collections.disjoint(
                                    capabilities, profile.agentInterface().capabilities()))
                    && kind.map(profile.agentInterface().kind()::equals).orElse(true);
        }
    }

    /**
     * The condition under which a rule acts on an agent.
     *
     * @param reasons the reasons; one of them must hold
     * @param minExecutions the minimum number of executions in the agent's window
     * @param duration the time for which the reason must hold, from the first pass of the sweep that sees it
     */
    public record When(Set<ContainmentReason> reasons, long minExecutions, Duration duration) {

        /** The largest minimum number of executions. */
        public static final int MAX_EXECUTIONS = 1_000_000;

        /** The longest time for which a reason must hold. */
        public static final Duration MAX_DURATION = Duration.ofDays(1);

        public When {
            reasons = Set.copyOf(reasons);
        }

        /** Returns the reasons of the rule that hold for an agent. */
        public Set<ContainmentReason> among(Collection<ContainmentReason> found) {
            Set<ContainmentReason> holding = EnumSet.noneOf(ContainmentReason.class);
            holding.addAll(found);
            holding.retainAll(reasons);
            return holding;
        }
    }

    /**
     * The release of a blocked agent.
     *
     * @param after the time after which the gateway tries the agent
     * @param trialCalls the number of calls that must succeed
     */
    public record Release(Duration after, int trialCalls) {

        public static final Duration MIN_AFTER = Duration.ofSeconds(10);

        public static final int MAX_TRIAL_CALLS = 20;

        /** The release of a rule that declares none. */
        public static final Release DEFAULT = new Release(Duration.ofMinutes(10), 3);
    }

    /** Returns whether the rule acts. */
    public boolean enforces() {
        return mode == ContainmentMode.ENFORCE;
    }

    /** Returns the reasons for which the rule may act on the agent of a row; empty if it does not. The profile may still exclude the agent. */
    public Set<ContainmentReason> reasons(FleetRow row, Collection<ContainmentReason> found) {
        return filter.mayCover(row) ? when.among(found) : Set.of();
    }

    /**
     * Returns the number of agents of a role that may be contained at once: a fifth, and at least one agent.
     *
     * @param agents the number of agents of the role
     */
    public static long mostOf(long agents) {
        return Math.max(1, agents / SHARE);
    }
}
