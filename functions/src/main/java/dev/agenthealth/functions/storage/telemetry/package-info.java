/**
 * What a key declares about the spans that it sends: which agents their names mean, and what is done with other names. The executions in spans are
 * counted by {@code storage.outcomes}.
 */
package dev.agenthealth.functions.storage.telemetry;
