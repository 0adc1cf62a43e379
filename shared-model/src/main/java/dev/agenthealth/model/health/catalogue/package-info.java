/** The rules of the catalogue of agents that can be called now (Agentic Resource Discovery 0.91). */
package dev.agenthealth.model.health.catalogue;
