package dev.agenthealth.emulator.eventbridge;

import dev.agenthealth.template.RuleTarget;
import java.util.List;

/** Delivers matched events to a target of a rule. */
@FunctionalInterface
public interface RuleDelivery {

    /** @param envelopes the JSON of the events as a target receives them, in their order */
    void deliver(RuleTarget target, List<String> envelopes);
}
