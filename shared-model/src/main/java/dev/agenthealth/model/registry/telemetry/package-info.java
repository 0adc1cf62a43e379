/**
 * Spans of OpenTelemetry, and which of them mean one execution of an agent.
 *
 * <p>How spans arrive belongs to the function that takes them, what is counted of an execution to the package outcome.
 */
package dev.agenthealth.model.registry.telemetry;
