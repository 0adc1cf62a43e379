/** Structured logs and metrics. */
package dev.agenthealth.functions.runtime.observation;
