/**
 * Statistics of the whole fleet: agents by lifecycle status, health and score, in total and by role, provider and platform.
 *
 * <p>This package knows groups only by their numbers, not by their names.
 */
package dev.agenthealth.model.health.statistics;
