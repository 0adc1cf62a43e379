package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.trust.Block;
import java.time.Instant;
import java.util.Optional;

/** A guard that keeps a rule from acting on an agent. */
public enum ContainmentGuard implements WireNamed {
    /** A fifth of the role is contained already. */
    SHARE_OF_ROLE,
    /** The pool of the role would have fewer agents than its workflow declares. */
    POOL_MINIMUM,
    /** A person unblocked the agent within the last hour. */
    UNBLOCKED_BY_PERSON;

    /**
     * The state of a role.
     *
     * @param agents the number of agents that are not gone
     * @param contained the number of agents on which rules acted, or would have acted
     * @param available the number of active agents that may be called
     * @param minimum the minimum number of active agents that a workflow declares; 0 without a minimum
     */
    public record RoleState(long agents, long contained, long available, long minimum) {

        /** The state of a role without agents. */
        public static final RoleState NONE = new RoleState(0, 0, 0, 0);

        /** Returns the state after a rule acted on one more agent. */
        public RoleState after() {
            return new RoleState(agents, contained + 1, available - 1, minimum);
        }
    }

    /**
     * Returns the guard that keeps a rule from acting on an agent; empty if the rule may act.
     *
     * @param block the last decision about the agent
     */
    public static Optional<ContainmentGuard> against(RoleState role, Block block, Instant now) {
        if (block.isUnblockedByPerson() && now.isBefore(block.at().plus(ContainmentRule.AFTER_PERSON))) {
            return Optional.of(UNBLOCKED_BY_PERSON);
        }
        if (role.contained() >= ContainmentRule.mostOf(role.agents())) {
            return Optional.of(SHARE_OF_ROLE);
        }
        return role.minimum() > 0 && role.available() <= role.minimum() ? Optional.of(POOL_MINIMUM) : Optional.empty();
    }
}
