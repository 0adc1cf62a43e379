package dev.agenthealth.functions.storage.dynamo;

/** A part of the text of an expression. */
@FunctionalInterface
interface ExpressionPart {

    /** The length of most expressions, in characters. */
    int USUAL_LENGTH = 192;

    /** Appends the part, and adds its names and values to the placeholders of the request. */
    void appendTo(StringBuilder text, Placeholders placeholders);
}
