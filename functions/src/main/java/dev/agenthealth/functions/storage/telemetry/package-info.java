/**
 * The declarations of a key about its spans: the agents of their names, and whether other names register agents. {@code storage.outcomes}
 * counts the executions in spans.
 */
package dev.agenthealth.functions.storage.telemetry;
