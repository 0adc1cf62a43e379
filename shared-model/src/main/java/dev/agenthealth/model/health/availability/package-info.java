/**
 * Availability: the states of an agent, or of a group of agents, over a window of time. It follows from the lifecycle status alone, and not from
 * health, score or trust.
 */
package dev.agenthealth.model.health.availability;
