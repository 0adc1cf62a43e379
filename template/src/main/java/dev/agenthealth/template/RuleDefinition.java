package dev.agenthealth.template;

import java.util.List;

/**
 * An enabled rule of an event bus.
 *
 * @param logicalId its name in the template
 * @param eventBus physical name of the bus
 * @param eventPattern JSON text
 * @param targets receivers of the matching events
 */
public record RuleDefinition(String logicalId, String eventBus, String eventPattern, List<RuleTarget> targets) {

    public RuleDefinition {
        targets = List.copyOf(targets);
    }
}
