package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.template.RuleTarget;

/** Delivers a matched event to a target of a rule. */
@FunctionalInterface
public interface RuleDelivery {

    /** @param envelope the event as a target receives it */
    void deliver(RuleTarget target, JsonNode envelope);
}
