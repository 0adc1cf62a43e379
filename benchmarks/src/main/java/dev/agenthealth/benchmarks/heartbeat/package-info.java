/** The time of a heartbeat without DynamoDB, and the memory that it allocates. */
package dev.agenthealth.benchmarks.heartbeat;
