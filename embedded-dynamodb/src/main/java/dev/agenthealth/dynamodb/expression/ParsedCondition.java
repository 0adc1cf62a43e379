package dev.agenthealth.dynamodb.expression;

import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A condition parsed once for all requests with the same text. Immutable. */
record ParsedCondition(Predicate predicate, Placeholders placeholders) {

    Condition bound(String kind, Arguments arguments) {
        Binding binding = arguments.bind(placeholders, kind);
        predicate.check(binding);
        return new Bound(predicate, binding);
    }

    /** A parsed condition with the arguments of one request. */
    private record Bound(Predicate predicate, Binding binding) implements Condition {

        @Override
        public boolean holds(Map<String, AttributeValue> item) {
            return predicate.holds(item, binding);
        }

        @Override
        public Set<String> attributes() {
            return binding.names();
        }
    }
}
