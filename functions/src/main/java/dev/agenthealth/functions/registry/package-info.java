/**
 * The registry itself: registration, discovery, profiles, statuses and events of agents, and all requests of agents.
 *
 * <p>{@code heartbeat} is the most frequent path and costs one conditional write. {@code outcomes} and {@code telemetry} receive the
 * results of executions. {@code leases} grants the right to work on a scope of an intent. {@code coordination} has pools and workflows.
 * {@code lifesigns} sends heartbeats for agents that send none themselves. {@code openintent} is a dialect of the same services.
 *
 * <p>Read {@link dev.agenthealth.functions.registry.Registration} first, then {@link
 * dev.agenthealth.functions.registry.heartbeat.HeartbeatReception}.
 */
package dev.agenthealth.functions.registry;
