/**
 * Availability: the states of an agent, or of a group of agents, over a window of time. It follows from the verdict. The part that follows from
 * heartbeats alone has a name of its own.
 */
package dev.agenthealth.model.health.availability;
