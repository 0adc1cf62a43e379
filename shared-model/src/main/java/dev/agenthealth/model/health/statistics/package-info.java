/**
 * Statistics of the whole fleet: agents by lifecycle status, health and score, in total and by role, provider and platform.
 *
 * <p>Names of groups are not known here, only their numbers.
 */
package dev.agenthealth.model.health.statistics;
