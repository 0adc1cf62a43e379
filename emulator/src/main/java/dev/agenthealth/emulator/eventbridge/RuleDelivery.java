package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.template.RuleTarget;

/** Hands a matched event to a rule's target. */
@FunctionalInterface
public interface RuleDelivery {

    /** @param envelope the event as a target gets it */
    void deliver(RuleTarget target, JsonNode envelope);
}
