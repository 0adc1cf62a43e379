package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.DynamoDbErrors;
import dev.agenthealth.dynamodb.value.Numbers;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A change of one attribute in a parsed update. Immutable. */
sealed interface Action {

    /** Returns the attribute's position among the names. */
    int attribute();

    /** Checks the types of the request's values. */
    default void check(Binding binding) {}

    /**
     * Applies this change to {@code changed}.
     *
     * @param item the item before the update
     */
    void apply(Map<String, AttributeValue> item, Map<String, AttributeValue> changed, Binding binding);

    record Assign(int attribute, NewValue value) implements Action {

        @Override
        public void check(Binding binding) {
            value.check(binding);
        }

        @Override
        public void apply(Map<String, AttributeValue> item, Map<String, AttributeValue> changed, Binding binding) {
            changed.put(binding.name(attribute), value.in(item, binding));
        }
    }

    record Remove(int attribute) implements Action {

        @Override
        public void apply(Map<String, AttributeValue> item, Map<String, AttributeValue> changed, Binding binding) {
            changed.remove(binding.name(attribute));
        }
    }

    /** Adds to a number, or adds elements to a set. */
    record Add(int attribute, int value) implements Action {

        @Override
        public void check(Binding binding) {
            AttributeValue added = binding.value(value);
            switch (added.type()) {
                case N, BS -> {}
                default ->
                    throw binding.invalid("Incorrect operand type for operator or function; operator: ADD,"
                            + " operand type: " + Types.longName(added) + ", typeSet: ALLOWED_FOR_ADD_OPERAND");
            }
        }

        @Override
        public void apply(Map<String, AttributeValue> item, Map<String, AttributeValue> changed, Binding binding) {
            String name = binding.name(attribute);
            AttributeValue before = item.get(name);
            AttributeValue added = binding.value(value);
            changed.put(name, before == null ? added : sum(before, added));
        }

        private static AttributeValue sum(AttributeValue before, AttributeValue added) {
            if (before.type() != added.type()) {
                throw DynamoDbErrors.invalid("An operand in the update expression has an incorrect data type");
            }
            return added.type() == AttributeValue.Type.N
                    ? AttributeValue.fromN(Numbers.sum(before.n(), added.n()))
                    : AttributeValue.fromBs(union(before.bs(), added.bs()));
        }

        private static List<SdkBytes> union(List<SdkBytes> before, List<SdkBytes> added) {
            Set<SdkBytes> union = new LinkedHashSet<>(before);
            union.addAll(added);
            return List.copyOf(union);
        }
    }
}
