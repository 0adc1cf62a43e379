/**
 * Tokens of identity providers: their form, their claims, their signatures and the keys for these.
 *
 * <p>Nothing here is loaded before the first token comes. Who may call which route belongs in {@code access}.
 */
package dev.agenthealth.functions.api.identity;
