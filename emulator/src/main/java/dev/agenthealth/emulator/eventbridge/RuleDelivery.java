package dev.agenthealth.emulator.eventbridge;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agenthealth.template.RuleTarget;
import java.util.List;

/** Delivers matched events to a target of a rule. */
@FunctionalInterface
public interface RuleDelivery {

    /** @param envelopes the events as a target receives them, in their order */
    void deliver(RuleTarget target, List<JsonNode> envelopes);
}
