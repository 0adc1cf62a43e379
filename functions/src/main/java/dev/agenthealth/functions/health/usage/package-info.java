/** The tokens and calls of agents, roles, owners, models and providers over time. */
package dev.agenthealth.functions.health.usage;
