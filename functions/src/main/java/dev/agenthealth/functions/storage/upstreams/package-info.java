/** Stores the last calls of model providers by agents, and the providers that fail for many agents at once. */
package dev.agenthealth.functions.storage.upstreams;
