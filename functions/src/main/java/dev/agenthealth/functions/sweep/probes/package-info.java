/** Asks watched agents whether they are alive, and sends their heartbeats. */
package dev.agenthealth.functions.sweep.probes;
