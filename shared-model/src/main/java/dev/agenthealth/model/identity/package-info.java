/**
 * Identifiers, host names, and API keys with their roles.
 *
 * <p>The functions module looks up keys and authenticates requests.
 */
package dev.agenthealth.model.identity;
