/**
 * Heartbeats that the registry sends for agents: for pings, answers to probes and calls, outcomes and spans. This package has no routes.
 */
package dev.agenthealth.functions.registry.lifesigns;
