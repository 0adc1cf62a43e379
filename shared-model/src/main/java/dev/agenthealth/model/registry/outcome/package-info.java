/**
 * Outcomes of executions, their counts and their latencies.
 *
 * <p>The package window assigns outcomes to slices.
 */
package dev.agenthealth.model.registry.outcome;
