/**
 * Reputation, online status and blocks of agents and providers (ServiceNet).
 *
 * <p>Health by outcomes belongs to the package health.
 */
package dev.agenthealth.model.health.trust;
