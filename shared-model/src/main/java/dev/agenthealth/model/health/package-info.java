/**
 * The health of agents: health status, calibration, and when changes are published (Agent Health State).
 *
 * <p>The score belongs to the package score, and whether an agent may be called to the package trust.
 */
package dev.agenthealth.model.health;
