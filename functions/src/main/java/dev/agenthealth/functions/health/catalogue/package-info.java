/** The catalogue of agents that can be called now, for clients of Agentic Resource Discovery (ARD) 0.91. */
package dev.agenthealth.functions.health.catalogue;
