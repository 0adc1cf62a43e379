/** Asks watched agents whether they live, and sends their heartbeats. */
package dev.agenthealth.functions.sweep.probes;
