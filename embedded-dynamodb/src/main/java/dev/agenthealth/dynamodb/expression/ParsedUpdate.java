package dev.agenthealth.dynamodb.expression;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An update parsed once for all requests with the same text. Immutable. */
record ParsedUpdate(List<Action> actions, Placeholders placeholders) {

    static final String KIND = "UpdateExpression";

    Update bound(Arguments arguments) {
        Binding binding = arguments.bind(placeholders, KIND);
        Set<String> attributes = new HashSet<>();
        for (Action action : actions) {
            String attribute = binding.name(action.attribute());
            if (!attributes.add(attribute)) {
                throw Overlaps.of(attribute, binding);
            }
            action.check(binding);
        }
        return new Bound(actions, binding, attributes);
    }

    private record Bound(List<Action> actions, Binding binding, Set<String> attributes) implements Update {

        @Override
        public void apply(Map<String, AttributeValue> item, Map<String, AttributeValue> changed) {
            for (int i = 0; i < actions.size(); i++) {
                actions.get(i).apply(item, changed, binding);
            }
        }
    }
}
