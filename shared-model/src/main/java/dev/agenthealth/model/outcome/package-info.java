/** Finished executions, and how they are counted: outcomes, counters, latencies in buckets. */
package dev.agenthealth.model.outcome;
