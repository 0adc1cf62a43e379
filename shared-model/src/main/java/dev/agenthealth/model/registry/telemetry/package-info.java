/**
 * Spans of OpenTelemetry, and the rules for which of them stand for one execution of an agent.
 *
 * <p>The functions module receives spans. The package outcome counts executions.
 */
package dev.agenthealth.model.registry.telemetry;
