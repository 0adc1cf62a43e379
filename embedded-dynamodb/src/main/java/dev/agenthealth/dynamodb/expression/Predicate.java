package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.Values;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A parsed condition. */
sealed interface Predicate extends Part {

    boolean holds(Map<String, AttributeValue> item, Binding binding);

    record And(Predicate left, Predicate right) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            return left.holds(item, binding) && right.holds(item, binding);
        }

        @Override
        public void check(Binding binding) {
            left.check(binding);
            right.check(binding);
        }
    }

    record Or(Predicate left, Predicate right) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            return left.holds(item, binding) || right.holds(item, binding);
        }

        @Override
        public void check(Binding binding) {
            left.check(binding);
            right.check(binding);
        }
    }

    record Not(Predicate negated) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            return !negated.holds(item, binding);
        }

        @Override
        public void check(Binding binding) {
            negated.check(binding);
        }
    }

    record Comparison(Comparator comparator, Operand left, Operand right) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue one = left.in(item, binding);
            AttributeValue other = right.in(item, binding);
            return one != null && other != null && comparator.holds(one, other);
        }

        @Override
        public void check(Binding binding) {
            left.check(binding);
            right.check(binding);
            left.checkDistinct(comparator.symbol(), right, binding);
            if (comparator != Comparator.EQUAL) {
                Types.checkOrdered(comparator.symbol(), left, binding);
                Types.checkOrdered(comparator.symbol(), right, binding);
            }
        }
    }

    record Between(Operand operand, Operand lower, Operand upper) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue value = operand.in(item, binding);
            AttributeValue first = lower.in(item, binding);
            AttributeValue last = upper.in(item, binding);
            return value != null
                    && first != null
                    && last != null
                    && Comparator.AT_LEAST.holds(value, first)
                    && Comparator.AT_MOST.holds(value, last);
        }

        @Override
        public void check(Binding binding) {
            for (Operand each : List.of(operand, lower, upper)) {
                each.check(binding);
                Types.checkOrdered("BETWEEN", each, binding);
            }
            operand.checkDistinct("BETWEEN", lower, binding);
            operand.checkDistinct("BETWEEN", upper, binding);
            AttributeValue first = lower.constant(binding);
            AttributeValue last = upper.constant(binding);
            if (first != null && last != null) {
                checkBounds(first, last, binding);
            }
        }

        private static void checkBounds(AttributeValue first, AttributeValue last, Binding binding) {
            OptionalInt order = Values.compare(first, last);
            if (order.isEmpty() || order.getAsInt() > 0) {
                throw binding.invalid("The BETWEEN operator requires "
                        + (order.isEmpty()
                                ? "same data type for lower and upper bounds"
                                : "upper bound to be greater than or equal to lower bound")
                        + "; lower bound operand: AttributeValue: " + Types.describe(first)
                        + ", upper bound operand: AttributeValue: " + Types.describe(last));
            }
        }
    }

    record In(Operand operand, List<Operand> candidates) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue value = operand.in(item, binding);
            if (value == null) {
                return false;
            }
            for (int i = 0; i < candidates.size(); i++) {
                AttributeValue candidate = candidates.get(i).in(item, binding);
                if (candidate != null && Values.equal(value, candidate)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            for (Operand candidate : candidates) {
                candidate.check(binding);
                operand.checkDistinct("IN", candidate, binding);
            }
        }
    }

    record Exists(int attribute, boolean expected) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            return item.containsKey(binding.name(attribute)) == expected;
        }

        @Override
        public void check(Binding binding) {}
    }

    record BeginsWith(Operand operand, Operand prefix) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue value = operand.in(item, binding);
            AttributeValue start = prefix.in(item, binding);
            if (value == null || start == null || value.type() != start.type()) {
                return false;
            }
            return switch (value.type()) {
                case S -> value.s().startsWith(start.s());
                case B ->
                    Bytes.startsWith(value.b().asByteArrayUnsafe(), start.b().asByteArrayUnsafe());
                default -> false;
            };
        }

        @Override
        public void check(Binding binding) {
            for (Operand each : List.of(operand, prefix)) {
                each.check(binding);
                Types.checkTextOrBinary("begins_with", each, binding);
            }
            operand.checkDistinct("begins_with", prefix, binding);
        }
    }

    record Contains(Operand operand, Operand element) implements Predicate {

        @Override
        public boolean holds(Map<String, AttributeValue> item, Binding binding) {
            AttributeValue value = operand.in(item, binding);
            AttributeValue part = element.in(item, binding);
            return value != null && part != null && contains(value, part);
        }

        private static boolean contains(AttributeValue value, AttributeValue part) {
            return switch (value.type()) {
                case S -> part.s() != null && value.s().contains(part.s());
                case B -> part.b() != null && contains(value.b(), part.b());
                case BS -> part.b() != null && value.bs().contains(part.b());
                case L -> contains(value.l(), part);
                default -> false;
            };
        }

        private static boolean contains(SdkBytes value, SdkBytes part) {
            return Bytes.contains(value.asByteArrayUnsafe(), part.asByteArrayUnsafe());
        }

        private static boolean contains(List<AttributeValue> elements, AttributeValue element) {
            for (int i = 0; i < elements.size(); i++) {
                if (Values.equal(elements.get(i), element)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void check(Binding binding) {
            operand.check(binding);
            element.check(binding);
            operand.checkDistinct("contains", element, binding);
        }
    }
}
