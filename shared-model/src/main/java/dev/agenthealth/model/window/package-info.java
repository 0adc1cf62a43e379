/**
 * Measurement windows and their slices.
 *
 * <p>The package outcome has the counts of a slice.
 */
package dev.agenthealth.model.window;
