package dev.agenthealth.template;

import java.util.List;

/** Reads one {@code AWS::Events::Rule}. */
final class RuleReader {

    private RuleReader() {}

    /** @param properties resolved */
    static RuleDefinition read(String logicalId, Section properties) {
        Section pattern = properties.child("EventPattern");
        if (pattern.values().isEmpty()) {
            throw new TemplateException(properties.place() + ".EventPattern is missing");
        }
        List<RuleTarget> targets = properties.children("Targets").stream()
                .map(target -> new RuleTarget(target.text("Id"), target.text("Arn")))
                .toList();
        return new RuleDefinition(
                logicalId,
                properties.optionalText("EventBusName").orElse("default"),
                JsonText.of(pattern.values()),
                targets);
    }

    static boolean enabled(Section properties) {
        return !properties.optionalText("State").orElse("ENABLED").equals("DISABLED");
    }
}
