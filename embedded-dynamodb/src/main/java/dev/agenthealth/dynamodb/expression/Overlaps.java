package dev.agenthealth.dynamodb.expression;

/** Builds the error for an attribute that an expression names twice. */
final class Overlaps {

    private Overlaps() {}

    static RuntimeException of(String attribute, Binding binding) {
        return binding.invalid("Two document paths overlap with each other;"
                + " must remove or rewrite one of these paths; path one: [" + attribute + "], path two: [" + attribute
                + "]");
    }
}
