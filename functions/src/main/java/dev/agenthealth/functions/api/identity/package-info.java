/**
 * Tokens of identity providers: their form, their claims, their signatures, and the keys that verify the signatures.
 *
 * <p>No class of this package is loaded before the first token arrives. The access to routes belongs in {@code access}.
 */
package dev.agenthealth.functions.api.identity;
