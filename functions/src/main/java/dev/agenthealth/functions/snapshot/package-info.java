/** Warming up functions before Lambda takes the snapshot from which it starts instances. */
package dev.agenthealth.functions.snapshot;
