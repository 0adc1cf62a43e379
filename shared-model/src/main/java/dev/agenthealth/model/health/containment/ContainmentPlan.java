package dev.agenthealth.model.health.containment;

import dev.agenthealth.model.health.containment.ContainmentGuard.RoleState;
import dev.agenthealth.model.health.trust.Block;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plan of one pass of the sweep for one rule: which of the due agents the rule acts on, and which agents its guards hold back.
 *
 * @param acting the agents on which the rule acts, in the order of their cases
 * @param heldBack the agents that a guard holds back, with the guard
 */
public record ContainmentPlan(List<Due> acting, Map<Due, ContainmentGuard> heldBack) {

    public ContainmentPlan {
        acting = List.copyOf(acting);
        heldBack = Map.copyOf(heldBack);
    }

    /**
     * An agent on which a rule may act.
     *
     * @param open the case
     * @param block the last decision to block or unblock the agent
     */
    public record Due(ContainmentCase open, Block block) {}

    /**
     * Returns the plan for these agents. An agent that is blocked already needs no action.
     *
     * @param due the agents, the longest waiting first
     * @param roles the states of their roles, by number
     */
    public static ContainmentPlan of(List<Due> due, Map<Long, RoleState> roles, Instant now) {
        Map<Long, RoleState> states = new HashMap<>(roles);
        Map<Due, ContainmentGuard> held = new HashMap<>();
        List<Due> acting = due.stream()
                .filter(one -> !one.block().inForce())
                .filter(one -> {
                    long number = one.open().roleNumber();
                    RoleState role = states.getOrDefault(number, RoleState.NONE);
                    Optional<ContainmentGuard> guard = ContainmentGuard.against(role, one.block(), now);
                    guard.ifPresentOrElse(found -> held.put(one, found), () -> states.put(number, role.after()));
                    return guard.isEmpty();
                })
                .toList();
        return new ContainmentPlan(acting, held);
    }
}
