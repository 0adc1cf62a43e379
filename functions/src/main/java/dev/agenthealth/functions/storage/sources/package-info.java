/** The sources of agents, their state, and the entries whose agents they registered. */
package dev.agenthealth.functions.storage.sources;
