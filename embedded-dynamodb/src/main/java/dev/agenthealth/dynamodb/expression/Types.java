package dev.agenthealth.dynamodb.expression;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The types that operators accept from a request. An item's attributes may have any type. */
final class Types {

    private Types() {}

    static void checkOrdered(String operator, Operand operand, Binding binding) {
        AttributeValue.Type type = operand.type(binding);
        switch (type) {
            case S, N, B, UNKNOWN_TO_SDK_VERSION -> {}
            default -> throw binding.incorrectType(operator, type);
        }
    }

    static void checkTextOrBinary(String function, Operand operand, Binding binding) {
        AttributeValue.Type type = operand.type(binding);
        switch (type) {
            case S, B, UNKNOWN_TO_SDK_VERSION -> {}
            default -> throw binding.incorrectType(function, type);
        }
    }

    static void checkSized(Operand operand, Binding binding) {
        AttributeValue.Type type = operand.type(binding);
        switch (type) {
            case N, BOOL -> throw binding.incorrectType("size", type);
            default -> {}
        }
    }

    /** Returns the value as DynamoDB's messages show it. */
    static String describe(AttributeValue value) {
        return switch (value.type()) {
            case S -> "{S:" + value.s() + "}";
            case N -> "{N:" + value.n() + "}";
            default -> "{" + value.type() + "}";
        };
    }

    /** Returns the type's name in the messages of updates. */
    static String longName(AttributeValue value) {
        return switch (value.type()) {
            case S -> "STRING";
            case N -> "NUMBER";
            case B -> "BINARY";
            case BOOL -> "BOOLEAN";
            case L -> "LIST";
            case M -> "MAP";
            case BS -> "BINARY_SET";
            default -> value.type().toString();
        };
    }
}
