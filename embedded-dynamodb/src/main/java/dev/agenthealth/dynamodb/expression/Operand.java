package dev.agenthealth.dynamodb.expression;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A side of a comparison in a condition. */
sealed interface Operand extends Part {

    /** Returns the value; null if the attribute is absent or has no size. */
    AttributeValue in(Map<String, AttributeValue> item, Binding binding);

    /** A top-level attribute. */
    record Attribute(int name) implements Operand {

        @Override
        public AttributeValue in(Map<String, AttributeValue> item, Binding binding) {
            return item.get(binding.name(name));
        }
    }

    /** A value of the request. */
    record Value(int value) implements Operand {

        @Override
        public AttributeValue in(Map<String, AttributeValue> item, Binding binding) {
            return binding.value(value);
        }
    }

    /** The number of characters, bytes or elements. */
    record Size(Operand operand) implements Operand {

        @Override
        public AttributeValue in(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue value = operand.in(item, binding);
            int size = value == null ? -1 : size(value);
            return size < 0 ? null : AttributeValue.fromN(Integer.toString(size));
        }

        private static int size(AttributeValue value) {
            return switch (value.type()) {
                case S -> value.s().length();
                case B -> value.b().asByteArrayUnsafe().length;
                case L -> value.l().size();
                case M -> value.m().size();
                case BS -> value.bs().size();
                default -> -1;
            };
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            Types.checkSized(operand, binding);
        }

        @Override
        public AttributeValue.Type type(Binding binding) {
            return AttributeValue.Type.N;
        }
    }

    /** Returns the value if it depends on no item, otherwise null. */
    default AttributeValue constant(Binding binding) {
        return this instanceof Value constant ? binding.value(constant.value()) : null;
    }

    /** Returns the type of the value; UNKNOWN_TO_SDK_VERSION if it depends on the item. */
    default AttributeValue.Type type(Binding binding) {
        return this instanceof Value constant
                ? binding.value(constant.value()).type()
                : AttributeValue.Type.UNKNOWN_TO_SDK_VERSION;
    }

    @Override
    default void check(Binding binding) {}

    /** Checks that the other operand is a different attribute. */
    default void checkDistinct(String operator, Operand other, Binding binding) {
        if (this instanceof Attribute one
                && other instanceof Attribute two
                && binding.name(one.name()).equals(binding.name(two.name()))) {
            throw binding.notDistinct(operator, binding.name(one.name()));
        }
    }
}
