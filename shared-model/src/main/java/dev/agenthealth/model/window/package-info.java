/**
 * Measurement windows and the slices they consist of.
 *
 * <p>The counts of a slice belong to the package outcome.
 */
package dev.agenthealth.model.window;
