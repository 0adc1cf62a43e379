/** The deployed sweep over fleets of up to ten million agents. */
package dev.agenthealth.benchmarks.sweep;
