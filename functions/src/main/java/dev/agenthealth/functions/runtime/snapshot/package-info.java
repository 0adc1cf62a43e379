/** Warming up functions before Lambda takes a snapshot. */
package dev.agenthealth.functions.runtime.snapshot;
