/** Heartbeats, the most frequent requests. No code here may add a second write to a usual heartbeat. */
package dev.agenthealth.functions.registry.heartbeat;
