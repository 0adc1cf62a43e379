/** Heartbeats that the registry sends for agents: for pings, answers to probes and calls, outcomes and spans. Knows no routes. */
package dev.agenthealth.functions.registry.lifesigns;
