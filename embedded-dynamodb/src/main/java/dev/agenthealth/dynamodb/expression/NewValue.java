package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Values;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The value that an update gives to an attribute. Immutable. */
sealed interface NewValue {

    AttributeValue in(Map<String, AttributeValue> item, Binding binding);

    /** Checks the request's values. */
    default void check(Binding binding) {}

    /** A value of the request. */
    record Given(int value) implements NewValue {

        @Override
        public void check(Binding binding) {
            Values.checkNesting(binding.value(value));
        }

        @Override
        public AttributeValue in(Map<String, AttributeValue> item, Binding binding) {
            return binding.value(value);
        }
    }

    /** The attribute's value before the update. */
    record Copied(int attribute) implements NewValue {

        @Override
        public AttributeValue in(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue value = item.get(binding.name(attribute));
            if (value == null) {
                throw DynamoDbErrors.invalid(
                        "The provided expression refers to an attribute that does not exist in the item");
            }
            return value;
        }
    }

    /** The attribute's value before the update, or another value if the attribute is absent. */
    record IfNotExists(int attribute, NewValue otherwise) implements NewValue {

        @Override
        public void check(Binding binding) {
            otherwise.check(binding);
        }

        @Override
        public AttributeValue in(Map<String, AttributeValue> item, Binding binding) {
            // The other operand must not name an absent attribute, even if it is not used.
            AttributeValue other = otherwise.in(item, binding);
            return item.getOrDefault(binding.name(attribute), other);
        }
    }
}
