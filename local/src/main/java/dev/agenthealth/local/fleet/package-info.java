/**
 * A simulated fleet: agents that send heartbeats, pause, crash, drift, drain and report outcomes to a running system, and a report that
 * compares the system's view of each agent with its behaviour.
 *
 * <p>Talks to the registry over HTTP only; the running system belongs to {@code dev.agenthealth.local}.
 */
package dev.agenthealth.local.fleet;
