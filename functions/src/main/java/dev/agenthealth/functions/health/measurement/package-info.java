/** Computes the health of agents whose outcomes, profile or status changed. */
package dev.agenthealth.functions.health.measurement;
