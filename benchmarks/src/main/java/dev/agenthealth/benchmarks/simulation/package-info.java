/**
 * A discrete-event simulation of the deployed system: what saturates first when a fleet grows, and when all of it returns after an outage. The
 * limits are those that AWS publishes and those of {@code template.yaml}; the same seed gives the same result.
 */
package dev.agenthealth.benchmarks.simulation;
