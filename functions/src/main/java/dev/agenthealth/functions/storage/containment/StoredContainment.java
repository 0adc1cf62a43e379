package dev.agenthealth.functions.storage.containment;

import dev.agenthealth.model.health.containment.ContainmentRule;
import dev.agenthealth.model.health.containment.HeldBack;
import java.util.Optional;

/**
 * A containment rule as it is stored.
 *
 * @param rule the rule
 * @param version the number of times that the rule was written, from 1
 * @param heldBack the agents that its guards hold back; empty if they hold back none
 */
public record StoredContainment(ContainmentRule rule, long version, Optional<HeldBack> heldBack) {

    public String name() {
        return rule.name();
    }

    /** Returns the rule with other agents that its guards hold back. */
    public StoredContainment with(Optional<HeldBack> held) {
        return new StoredContainment(rule, version, held);
    }
}
