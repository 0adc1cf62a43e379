/**
 * Spans in OpenTelemetry's protocol (OTLP/HTTP, protobuf and JSON), which count as outcomes of executions, and the mappings from names in
 * spans to agents.
 *
 * <p>The model decides which spans are executions. {@code storage.outcomes} counts each execution once.
 */
package dev.agenthealth.functions.registry.telemetry;
