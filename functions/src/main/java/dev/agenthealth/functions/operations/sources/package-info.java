/** Sources of agents: reads catalogues, agent cards and registries, and registers the agents in their lists. */
package dev.agenthealth.functions.operations.sources;
