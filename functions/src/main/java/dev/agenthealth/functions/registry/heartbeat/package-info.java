/** Heartbeats, the most frequent requests: nothing here may cost more than the one write of a heartbeat. */
package dev.agenthealth.functions.registry.heartbeat;
