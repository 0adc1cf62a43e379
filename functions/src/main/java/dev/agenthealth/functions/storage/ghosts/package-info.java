/** Stores the activity of agents that are gone, superseded, blocked or stopped. */
package dev.agenthealth.functions.storage.ghosts;
