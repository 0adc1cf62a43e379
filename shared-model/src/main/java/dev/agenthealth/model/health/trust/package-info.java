/**
 * Reputation, online status and blocks of agents and providers (ServiceNet).
 *
 * <p>The health by outcomes is in the package health.
 */
package dev.agenthealth.model.health.trust;
