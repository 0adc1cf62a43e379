/** Compares two revisions. */
package dev.agenthealth.benchmarks.gate;
