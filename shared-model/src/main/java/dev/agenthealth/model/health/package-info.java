/**
 * The health of agents: health status, calibration, and the publication of changes (Agent Health State).
 *
 * <p>The score is in the package score. The package trust decides whether an agent may be called.
 */
package dev.agenthealth.model.health;
