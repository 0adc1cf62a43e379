package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.WireNamed;
import dev.agenthealth.model.health.trust.Block;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

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

        /**
         * Returns the state of a role.
         *
         * @param rule the rule that is about to act
         * @param number the number of the role
         * @param agents the number of agents that are not gone
         * @param callable the number of active agents that are not blocked
         * @param minimum the minimum that a workflow declares
         * @param cases the cases of all rules
         */
        public static RoleState of(
                ContainmentRule rule,
                long number,
                long agents,
                long callable,
                long minimum,
                Stream<ContainmentCase> cases) {
            long contained = 0;
            long asked = 0;
            for (ContainmentCase one : (Iterable<ContainmentCase>) cases::iterator) {
                boolean would = !rule.enforces()
                        && one.rule().equals(rule.name())
                        && one.step() == ContainmentCase.Step.WOULD_ACT;
                if (one.roleNumber() == number && (one.isContained() || would)) {
                    contained++;
                    // An agent that was asked to drain is active and not blocked, as long as it has not begun.
                    asked += one.isBlock() ? 0 : 1;
                }
            }
            return new RoleState(agents, contained, callable - asked, minimum);
        }

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
