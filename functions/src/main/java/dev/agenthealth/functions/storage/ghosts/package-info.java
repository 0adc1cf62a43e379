/** Stores the activity of agents that are gone, superseded or blocked. */
package dev.agenthealth.functions.storage.ghosts;
