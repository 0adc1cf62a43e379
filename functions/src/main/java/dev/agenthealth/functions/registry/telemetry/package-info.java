/**
 * Spans in OpenTelemetry's protocol (OTLP/HTTP, protobuf and JSON) as outcomes of executions, and the mappings of the names in spans to agents.
 *
 * <p>Which spans mean an execution belongs to the model, how executions are counted once to {@code storage.outcomes}.
 */
package dev.agenthealth.functions.registry.telemetry;
