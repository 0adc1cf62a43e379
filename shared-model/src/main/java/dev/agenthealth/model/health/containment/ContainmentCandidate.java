package dev.agenthealth.model.health.containment;

import java.util.Set;

/**
 * An agent for which a reason of a rule holds.
 *
 * @param rule the name of the rule
 * @param agentId the agent
 * @param roleNumber the number of the agent's role
 * @param reasons the reasons of the rule that hold
 */
public record ContainmentCandidate(String rule, String agentId, long roleNumber, Set<ContainmentReason> reasons) {

    public ContainmentCandidate {
        reasons = Set.copyOf(reasons);
    }
}
