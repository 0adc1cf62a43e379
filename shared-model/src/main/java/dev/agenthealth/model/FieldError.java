package dev.agenthealth.model;

/**
 * An error in one field of an input.
 *
 * @param field the path of the field, with dots between names and indexes in brackets, such as {@code capabilities[3]}; empty for the whole input
 * @param message the rule that the field breaks, for the caller
 */
public record FieldError(String field, String message) {}
