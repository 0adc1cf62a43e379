/** Rows of agents, which every benchmark needs. */
package dev.agenthealth.benchmarks;
