/**
 * The rules of the sweep for a whole fleet: mass silence, self-check, grace period after an outage.
 *
 * <p>The package lifecycle has the rules for a single agent.
 */
package dev.agenthealth.model.sweep;
