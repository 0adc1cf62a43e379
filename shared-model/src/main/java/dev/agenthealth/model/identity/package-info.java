/**
 * Identifiers, host names, and API keys with their roles.
 *
 * <p>How keys are looked up and requests authenticated belongs to the functions module.
 */
package dev.agenthealth.model.identity;
