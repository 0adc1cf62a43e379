/** Sources of agents: reads catalogues, agent cards and registries, and registers the agents that they list. */
package dev.agenthealth.functions.operations.sources;
