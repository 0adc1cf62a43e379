/**
 * The entrance to every function: the caller of a request, the access of the caller, and the route that answers.
 *
 * <p>A feature declares its routes with the access that each requires. {@code routes} checks the declaration before the handler runs, so
 * that no handler decides about roles. {@code access} authenticates API keys, {@code identity} tokens of identity providers.
 * {@code signing} signs agent cards. {@code description} and {@code page} serve the API description and the page.
 *
 * <p>Read {@link dev.agenthealth.functions.api.routes.Route} first.
 */
package dev.agenthealth.functions.api;
