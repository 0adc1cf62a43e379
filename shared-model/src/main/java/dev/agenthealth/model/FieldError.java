package dev.agenthealth.model;

/**
 * One field of an input that breaks a rule.
 *
 * @param field where it stands, with dots between names and indexes in brackets ({@code capabilities[3]}); empty for the
 *     input as a whole
 * @param message the rule that the field breaks, for the caller
 */
public record FieldError(String field, String message) {}
