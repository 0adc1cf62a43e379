/** Measures the time from the start of a function's process to its first answer, in Lambda's runtime interface client. */
package dev.agenthealth.benchmarks.coldstart;
