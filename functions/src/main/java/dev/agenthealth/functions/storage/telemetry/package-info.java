/**
 * The declarations of a key about its spans: the agents that their names mean, and whether other names register agents. The executions in spans are
 * counted by {@code storage.outcomes}.
 */
package dev.agenthealth.functions.storage.telemetry;
