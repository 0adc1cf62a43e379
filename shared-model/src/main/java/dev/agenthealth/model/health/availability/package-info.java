/**
 * Availability: in which state an agent, or a group of agents, was over a window of time. It follows from the lifecycle status alone: health, score and
 * trust are other questions.
 */
package dev.agenthealth.model.health.availability;
