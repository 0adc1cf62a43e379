package dev.agenthealth.dynamodb.expression;

import dev.agenthealth.dynamodb.value.Values;
import java.util.Optional;
import java.util.OptionalInt;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An operator that compares two values. Values of different types never satisfy it. */
enum Comparator {
    EQUAL("="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">=");

    private final String symbol;

    Comparator(String symbol) {
        this.symbol = symbol;
    }

    static Optional<Comparator> of(Token token) {
        for (Comparator comparator : values()) {
            if (token.is(comparator.symbol)) {
                return Optional.of(comparator);
            }
        }
        return Optional.empty();
    }

    String symbol() {
        return symbol;
    }

    /** Returns the operator for swapped operands. */
    Comparator reversed() {
        return switch (this) {
            case EQUAL -> EQUAL;
            case LESS -> GREATER;
            case AT_MOST -> AT_LEAST;
            case GREATER -> LESS;
            case AT_LEAST -> AT_MOST;
        };
    }

    boolean holds(AttributeValue left, AttributeValue right) {
        if (this == EQUAL) {
            return Values.equal(left, right);
        }
        OptionalInt order = Values.compare(left, right);
        return order.isPresent() && holds(order.getAsInt());
    }

    private boolean holds(int order) {
        return switch (this) {
            case EQUAL -> order == 0;
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case GREATER -> order > 0;
            case AT_LEAST -> order >= 0;
        };
    }
}
