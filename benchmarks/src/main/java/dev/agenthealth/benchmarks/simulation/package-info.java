/**
 * A discrete-event simulation of the deployed system. It shows the stage that saturates first when a fleet grows, and when a whole fleet
 * returns after an outage. The limits are AWS's published limits and the limits of {@code template.yaml}. The same seed gives the same
 * result.
 */
package dev.agenthealth.benchmarks.simulation;
