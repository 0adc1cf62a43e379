/** Structured logs and metrics. */
package dev.agenthealth.functions.observation;
