package dev.agenthealth.dynamodb.expression;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An update parsed once for all requests with the same text. Immutable.
 *
 * @param attributes the changed attributes; empty if they depend on the arguments of a request
 */
record ParsedUpdate(List<Action> actions, Placeholders placeholders, Set<String> attributes) {

    static final String KIND = "UpdateExpression";

    static ParsedUpdate of(List<Action> actions, Placeholders placeholders) {
        Set<String> attributes = new HashSet<>();
        for (Action action : actions) {
            String name = placeholders.names().get(action.attribute());
            if (name.charAt(0) == '#' || !attributes.add(name)) {
                return new ParsedUpdate(actions, placeholders, Set.of());
            }
        }
        return new ParsedUpdate(actions, placeholders, Set.copyOf(attributes));
    }

    Update bound(Arguments arguments) {
        Binding binding = arguments.bind(placeholders, KIND);
        Set<String> changed = attributes.isEmpty() ? attributes(binding) : attributes;
        for (int i = 0; i < actions.size(); i++) {
            actions.get(i).check(binding);
        }
        return new Bound(actions, binding, changed);
    }

    private Set<String> attributes(Binding binding) {
        Set<String> names = new HashSet<>();
        for (Action action : actions) {
            String name = binding.name(action.attribute());
            if (!names.add(name)) {
                throw Overlaps.of(name, binding);
            }
        }
        return names;
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
