/** Computes the health of agents again whenever what it follows from has changed. */
package dev.agenthealth.functions.health.measurement;
