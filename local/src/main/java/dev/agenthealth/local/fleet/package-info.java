/**
 * A simulated fleet. Its agents send heartbeats, pause, crash, drift, drain and report outcomes to a running system. A report compares the
 * system's view of each agent with its behaviour.
 *
 * <p>The package uses the registry over HTTP only; the running system belongs to {@code dev.agenthealth.local}.
 */
package dev.agenthealth.local.fleet;
