/** The deployed sweep over fleets larger than the embedded DynamoDB can hold. */
package dev.agenthealth.benchmarks.sweep;
