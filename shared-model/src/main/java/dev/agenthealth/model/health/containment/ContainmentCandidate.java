package dev.agenthealth.model.health.containment;

import java.util.Set;

/**
 * A live agent for which a reason of a rule holds, or on which the rule acted.
 *
 * @param rule the name of the rule
 * @param agentId the agent
 * @param roleNumber the number of the agent's role
 * @param reasons the reasons of the rule that hold; possibly empty if the rule acted
 */
public record ContainmentCandidate(String rule, String agentId, long roleNumber, Set<ContainmentReason> reasons) {

    public ContainmentCandidate {
        reasons = Set.copyOf(reasons);
    }
}
