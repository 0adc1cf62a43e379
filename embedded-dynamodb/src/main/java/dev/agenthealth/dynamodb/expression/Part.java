package dev.agenthealth.dynamodb.expression;

/** A part of a parsed condition: a condition itself or an operand. Immutable. */
sealed interface Part permits Operand, Predicate {

    /** Checks the types of the request's values. */
    void check(Binding binding);
}
