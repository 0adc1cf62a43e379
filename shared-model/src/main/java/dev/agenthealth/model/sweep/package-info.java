/**
 * The rules of the sweep for a whole fleet: mass silence, self-check, grace period after an outage.
 *
 * <p>The rules for one agent belong to the package lifecycle.
 */
package dev.agenthealth.model.sweep;
