/**
 * Outcomes of executions, and their counts and latencies.
 *
 * <p>Which slice an outcome counts in belongs to the package window.
 */
package dev.agenthealth.model.registry.outcome;
